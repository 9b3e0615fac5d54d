package org.saevhadoop.format.arrays.file;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Layer number in the name of an array, file or folder: a number after a word for layers, such as
 * {@code blocks.3.} in TransformerLens, {@code layers.3.} in transformers, {@code h.3.} in GPT-2,
 * {@code representations.33} in ESM's extract.py, or {@code layer_3}, {@code layer3} and {@code L3}
 * in scripts. Numbers after other words, such as {@code shard} or {@code seed}, are not layer
 * numbers.
 *
 * @param number the number of the layer in the model
 * @param rest the name without the number: the common part of the names of all layers
 */
public record LayerNumber(int number, String rest) {
  /** The placeholder for the number in {@link #rest}. */
  public static final String PLACE = "{}";

  /** Words for layers; docs/own-data.md lists them. */
  private static final String WORDS =
      "(?i:layers?|blocks?|blk|resid(?:_pre|_mid|_post)?|representations)[._=: \\[(-]?";

  /** Letters that denote layers unless another letter follows the number. */
  private static final String LETTERS = "h[._=-]|L[._=-]?";

  private static final Pattern NAME =
      Pattern.compile(
          "(?<![A-Za-z0-9])(?:(?:%s)(?=-?[0-9]+(?![A-Za-z]))|%s)(-?[0-9]{1,9})(?![0-9])"
              .formatted(LETTERS, WORDS));

  /** Finds the layer number in a name; empty if the name has none, or several different ones. */
  public static Optional<LayerNumber> find(String name) {
    List<MatchResult> all = matches(name);
    if (numbers(all).size() != 1) {
      return Optional.empty();
    }
    StringBuilder rest = new StringBuilder();
    int end = 0;
    for (MatchResult found : all) {
      rest.append(name, end, found.start(1)).append(PLACE);
      end = found.end(1);
    }
    return Optional.of(new LayerNumber(numbers(all).get(0), rest + name.substring(end)));
  }

  /** Returns the distinct numbers in a name, each of which may be the layer number. */
  public static List<Integer> numbers(String name) {
    return numbers(matches(name));
  }

  private static List<Integer> numbers(List<MatchResult> all) {
    return all.isEmpty()
        ? List.of()
        : all.stream().map(found -> Integer.valueOf(found.group(1))).distinct().toList();
  }

  private static List<MatchResult> matches(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.find() ? matcher.reset().results().toList() : List.of();
  }

  /** Returns the pattern that the names of all layers match, if a name has a layer number. */
  public static Optional<String> pattern(String name) {
    return find(name).flatMap(number -> patterns(name).stream().findFirst());
  }

  /** Returns a name pattern for each number in a name that may be the layer number. */
  public static List<String> patterns(String name) {
    return matches(name).stream()
        .map(
            found ->
                NamePattern.escaped(name.substring(0, found.start(1)))
                    + "{layer}"
                    + NamePattern.escaped(name.substring(found.end(1))))
        .toList();
  }
}
