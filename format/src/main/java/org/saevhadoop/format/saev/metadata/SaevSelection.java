package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.json.JsonNumber;

/**
 * A selection that was made of a dataset, as the {@code data} of the result records it. Ranges that
 * follow one another are merged, so that the same selection is always written the same.
 *
 * @param layers the layers, in the order in which they were selected; none twice
 * @param examples ranges of the parent's examples, in the order in which they were selected; none
 *     overlap
 * @param tokens ascending ranges of the stored tokens; token 0 is [CLS] where the parent stores it
 * @param parent the hash of the parent; for a parent without SAEV metadata, its digest
 */
public record SaevSelection(
    List<Integer> layers, List<Range> examples, List<Range> tokens, String parent) {
  private static final String LAYERS = "layers";
  private static final String EXAMPLES = "examples";
  private static final String TOKENS = "tokens";
  private static final String PARENT = "parent";
  private static final List<String> KEYS = List.of(LAYERS, EXAMPLES, TOKENS, PARENT);

  /** The numbers from {@code start} to {@code stop}, the latter excluded. */
  public record Range(long start, long stop) {
    public Range {
      if (start < 0 || stop <= start) {
        throw new IllegalArgumentException("[" + start + ", " + stop + ") selects nothing");
      }
    }

    /** Returns how many numbers are in the range. */
    public long size() {
      return stop - start;
    }
  }

  public SaevSelection {
    layers = List.copyOf(layers);
    examples = merged(examples);
    tokens = merged(tokens);
    Objects.requireNonNull(parent, "parent");
    if (layers.isEmpty() || tokens.isEmpty()) {
      throw new IllegalArgumentException("a selection without layers or without tokens");
    }
    if (new HashSet<>(layers).size() < layers.size()) {
      throw new IllegalArgumentException("a layer is selected twice in " + layers);
    }
    List<Range> sorted = sorted(tokens);
    if (!sorted.equals(tokens) || overlaps(sorted) || overlaps(sorted(examples))) {
      throw new IllegalArgumentException("ranges overlap, or tokens do not ascend");
    }
  }

  /**
   * Returns whether the selection is the whole of a dataset, in the order in which it is stored.
   */
  public boolean isEverything(Geometry parentShape) {
    return layers.equals(parentShape.layers())
        && examples.equals(whole(parentShape.examples()))
        && tokens.equals(whole(parentShape.tokens()));
  }

  /**
   * Returns the shape of the selection.
   *
   * @throws IllegalArgumentException where the parent lacks something that is selected
   */
  public Geometry geometry(Geometry parentShape) {
    if (!parentShape.layers().containsAll(layers)
        || examples.stream().anyMatch(range -> range.stop() > parentShape.examples())
        || tokens.stream().anyMatch(range -> range.stop() > parentShape.tokens())) {
      throw new IllegalArgumentException(this + " does not select from " + parentShape);
    }
    long selectedExamples = examples.stream().mapToLong(Range::size).sum();
    long selectedTokens = tokens.stream().mapToLong(Range::size).sum();
    return new Geometry(
        selectedExamples,
        layers,
        Math.toIntExact(selectedTokens),
        parentShape.dim(),
        parentShape.dtype());
  }

  /** Returns whether token 0, which is [CLS] where the parent stores it, is selected. */
  public boolean hasFirstToken() {
    return tokens.get(0).start() == 0;
  }

  /** Returns the JSON object that records the selection. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put(LAYERS, layers.stream().map(JsonNumber::of).toList());
    json.put(EXAMPLES, json(examples));
    json.put(TOKENS, json(tokens));
    json.put(PARENT, parent);
    return json;
  }

  /** Returns the selection that a JSON value records; null where it records none. */
  static SaevSelection of(Object json) {
    if (!(json instanceof Map<?, ?> object)
        || !List.copyOf(object.keySet()).equals(KEYS)
        || !(object.get(PARENT) instanceof String parent)) {
      return null;
    }
    try {
      List<Integer> layers = new ArrayList<>();
      for (Object layer : list(object.get(LAYERS))) {
        layers.add(Math.toIntExact(number(layer)));
      }
      SaevSelection selection =
          new SaevSelection(
              layers, ranges(object.get(EXAMPLES)), ranges(object.get(TOKENS)), parent);
      return selection.json().equals(object) ? selection : null;
    } catch (IllegalArgumentException | ArithmeticException e) {
      // an object of the same keys that no selection is written as
      return null;
    }
  }

  private static List<List<JsonNumber>> json(List<Range> ranges) {
    return ranges.stream()
        .map(range -> List.of(JsonNumber.of(range.start()), JsonNumber.of(range.stop())))
        .toList();
  }

  private static List<Range> ranges(Object json) {
    List<Range> ranges = new ArrayList<>();
    for (Object item : list(json)) {
      List<?> pair = list(item);
      if (pair.size() != 2) {
        throw new IllegalArgumentException("not a range: " + pair);
      }
      ranges.add(new Range(number(pair.get(0)), number(pair.get(1))));
    }
    return ranges;
  }

  private static List<?> list(Object json) {
    if (json instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException("not a list");
  }

  private static long number(Object json) {
    if (json instanceof JsonNumber number) {
      return number.longValueExact();
    }
    throw new IllegalArgumentException("not a number");
  }

  private static List<Range> whole(long size) {
    return size == 0 ? List.of() : List.of(new Range(0, size));
  }

  private static List<Range> merged(List<Range> ranges) {
    List<Range> merged = new ArrayList<>();
    for (Range range : ranges) {
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).stop() == range.start()) {
        merged.set(last, new Range(merged.get(last).start(), range.stop()));
      } else {
        merged.add(range);
      }
    }
    return List.copyOf(merged);
  }

  private static List<Range> sorted(List<Range> ranges) {
    return ranges.stream().sorted(Comparator.comparingLong(Range::start)).toList();
  }

  private static boolean overlaps(List<Range> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).start() < sorted.get(i - 1).stop()) {
        return true;
      }
    }
    return false;
  }
}
