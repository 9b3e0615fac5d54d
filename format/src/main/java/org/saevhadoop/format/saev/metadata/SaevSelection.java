package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.json.JsonNumber;

/**
 * Selection of a dataset, as recorded in the {@code data} of the result. Adjacent ranges are
 * merged, so that equal selections are always written identically.
 *
 * @param layers the layers in the selected order, without duplicates
 * @param examples the ranges of examples of the parent in the selected order; they do not overlap
 * @param tokens the ascending ranges of the stored tokens; token 0 is [CLS] if the parent stores it
 * @param parent the hash of the parent, or its digest if it has no SAEV metadata
 */
public record SaevSelection(
    List<Integer> layers, List<IndexRange> examples, List<IndexRange> tokens, String parent) {
  private static final String LAYERS = "layers";
  private static final String EXAMPLES = "examples";
  private static final String TOKENS = "tokens";
  private static final String PARENT = "parent";
  private static final List<String> KEYS = List.of(LAYERS, EXAMPLES, TOKENS, PARENT);

  public SaevSelection {
    layers = List.copyOf(layers);
    examples = IndexRanges.merged(examples);
    tokens = IndexRanges.merged(tokens);
    Objects.requireNonNull(parent, "parent");
    if (layers.isEmpty() || tokens.isEmpty()) {
      throw new IllegalArgumentException("a selection without layers or without tokens");
    }
    if (new HashSet<>(layers).size() < layers.size()) {
      throw new IllegalArgumentException("a layer is selected twice in " + layers);
    }
    IndexRanges.checkDisjoint(examples);
    if (!IndexRanges.ascend(tokens)) {
      throw new IllegalArgumentException("tokens do not ascend");
    }
  }

  /**
   * Returns the shape of the selection.
   *
   * @throws IllegalArgumentException if the parent does not contain the selection
   */
  public Geometry geometry(Geometry parentShape) {
    if (!Set.copyOf(parentShape.layers()).containsAll(layers)
        || examples.stream().anyMatch(range -> range.stop() > parentShape.examples())
        || tokens.stream().anyMatch(range -> range.stop() > parentShape.tokens())) {
      throw new IllegalArgumentException(this + " does not select from " + parentShape);
    }
    long selectedExamples = examples.stream().mapToLong(IndexRange::length).sum();
    long selectedTokens = tokens.stream().mapToLong(IndexRange::length).sum();
    return new Geometry(
        selectedExamples,
        layers,
        Math.toIntExact(selectedTokens),
        parentShape.dim(),
        parentShape.dtype());
  }

  /** Returns whether token 0, which is [CLS] if the parent stores it, is selected. */
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

  /** Returns the selection that a JSON value records, or null if it does not record one. */
  static @Nullable SaevSelection of(@Nullable Object json) {
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
      // An object with the same keys that is not written for any selection.
      return null;
    }
  }

  private static List<List<JsonNumber>> json(List<IndexRange> ranges) {
    return ranges.stream()
        .map(range -> List.of(JsonNumber.of(range.start()), JsonNumber.of(range.stop())))
        .toList();
  }

  private static List<IndexRange> ranges(@Nullable Object json) {
    List<IndexRange> ranges = new ArrayList<>();
    for (Object item : list(json)) {
      List<?> pair = list(item);
      if (pair.size() != 2) {
        throw new IllegalArgumentException("not a range: " + pair);
      }
      ranges.add(new IndexRange(number(pair.get(0)), number(pair.get(1))));
    }
    return ranges;
  }

  private static List<?> list(@Nullable Object json) {
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
}
