package org.saevhadoop.converters.projection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A random part of activations, as numbers and as the options that select it.
 *
 * @param examples the selected examples, in order
 * @param layers the selected layers, in order
 * @param tokens the selected stored tokens, which ascend
 */
public record RandomPart(
    List<Integer> examples, List<Integer> layers, List<Integer> tokens, List<String> options) {
  /**
   * Returns a part.
   *
   * @param named whether tokens may be selected by a name, which not every source understands
   */
  public static RandomPart of(NaiveActivations source, boolean named, Random random) {
    List<String> options = new ArrayList<>();
    List<Integer> layers = layers(source.layers(), options, random);
    List<Integer> examples = all(source.examples());
    if (random.nextInt(6) > 0) {
      examples = examples(source.examples(), options, random);
    }
    if (random.nextInt(4) == 0) {
      int limit = 1 + random.nextInt(examples.size() + 3);
      options.add("--limit=" + limit);
      examples = examples.subList(0, Math.min(limit, examples.size()));
    }
    List<Integer> tokens = tokens(source, named, options, random);
    return new RandomPart(List.copyOf(examples), layers, tokens, List.copyOf(options));
  }

  public boolean examplesAscend() {
    return examples.equals(examples.stream().sorted().toList());
  }

  public boolean isEverything(NaiveActivations source) {
    return examples.equals(all(source.examples()))
        && layers.equals(source.layers())
        && tokens.equals(all(source.tokens()));
  }

  /** Returns numbers as ranges {@code [start, stop)} of which none begins where another ends. */
  public static String ranges(List<Integer> numbers) {
    List<List<Integer>> ranges = new ArrayList<>();
    for (int number : numbers) {
      int last = ranges.size() - 1;
      if (last >= 0 && ranges.get(last).get(1) == number) {
        ranges.set(last, List.of(ranges.get(last).get(0), number + 1));
      } else {
        ranges.add(List.of(number, number + 1));
      }
    }
    return ranges.toString().replace(" ", "");
  }

  private static List<Integer> layers(List<Integer> all, List<String> options, Random random) {
    List<Integer> layers = new ArrayList<>(all);
    if (random.nextInt(4) == 0) {
      return List.copyOf(all);
    }
    Collections.shuffle(layers, random);
    layers = layers.subList(0, 1 + random.nextInt(layers.size()));
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < layers.size(); i++) {
      int first = layers.get(i);
      int last = first;
      while (first >= 0
          && i + 1 < layers.size()
          && layers.get(i + 1) == last + 1
          && random.nextBoolean()) {
        last++;
        i++;
      }
      texts.add(last == first ? "" + first : first + "-" + last);
    }
    options.add("--layers=" + String.join(",", texts));
    return List.copyOf(layers);
  }

  private static List<Integer> examples(int count, List<String> options, Random random) {
    List<int[]> pieces = pieces(count, random);
    if (random.nextBoolean()) {
      Collections.shuffle(pieces, random);
    }
    options.add("--examples=" + text(pieces, count, random));
    return numbers(pieces);
  }

  private static List<Integer> tokens(
      NaiveActivations source, boolean named, List<String> options, Random random) {
    int count = source.tokens();
    switch (random.nextInt(named ? 5 : 3)) {
      case 0:
        return all(count);
      case 3:
        options.add("--tokens=" + (random.nextBoolean() ? "image" : "content"));
        return all(count).subList(source.cls() ? 1 : 0, count);
      case 4:
        options.add("--tokens=" + (source.cls() ? "cls" : "all"));
        return source.cls() ? List.of(0) : all(count);
      default:
        List<int[]> pieces = pieces(count, random);
        options.add("--tokens=" + text(pieces, count, random));
        return numbers(pieces);
    }
  }

  /** Returns disjoint ranges that ascend. */
  private static List<int[]> pieces(int count, Random random) {
    List<int[]> pieces = new ArrayList<>();
    while (pieces.isEmpty()) {
      int start = random.nextInt(3);
      while (start < count) {
        int stop = Math.min(count, start + 1 + random.nextInt(1 + count / 2));
        pieces.add(new int[] {start, stop});
        start = stop + random.nextInt(3);
      }
      if (pieces.size() > 1 && random.nextBoolean()) {
        pieces.remove(random.nextInt(pieces.size()));
      }
    }
    return pieces;
  }

  private static String text(List<int[]> pieces, int count, Random random) {
    List<String> texts = new ArrayList<>();
    for (int[] piece : pieces) {
      if (piece[1] == piece[0] + 1 && random.nextBoolean()) {
        texts.add("" + (random.nextBoolean() ? piece[0] : piece[0] - count));
        continue;
      }
      String start = "" + (random.nextBoolean() ? piece[0] : piece[0] - count);
      String stop = "" + (random.nextBoolean() ? piece[1] : piece[1] - count);
      if (piece[1] == count) {
        stop = random.nextBoolean() ? "" : "" + (count + random.nextInt(9));
      }
      texts.add((piece[0] == 0 && random.nextBoolean() ? "" : start) + ":" + stop);
    }
    return String.join(",", texts);
  }

  private static List<Integer> numbers(List<int[]> pieces) {
    return pieces.stream().flatMap(piece -> IntStream.range(piece[0], piece[1]).boxed()).toList();
  }

  private static List<Integer> all(int count) {
    return IntStream.range(0, count).boxed().toList();
  }
}
