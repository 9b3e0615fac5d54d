package org.saevhadoop.format.arrays.file;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Number of a layer in the name of an array, of a file or of a folder: {@code blocks.3.} as in
 * TransformerLens, {@code layers.3.} as in transformers, {@code layer_3} as in many scripts.
 *
 * @param number the number in the model
 * @param rest the name without the number, which the names of all layers have in common
 */
public record LayerNumber(int number, String rest) {
  private static final Pattern NAME =
      Pattern.compile(
          "(?:(?<![A-Za-z0-9])(?:blocks|layers)\\.|(?<![A-Za-z0-9])layer_)(-?[0-9]{1,9})(?![0-9])");

  /** Finds the number; empty if the name has none, or several. */
  public static Optional<LayerNumber> find(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.find()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(matcher.group(1));
    String rest = name.substring(0, matcher.start(1)) + "{}" + name.substring(matcher.end(1));
    return matcher.find() ? Optional.empty() : Optional.of(new LayerNumber(number, rest));
  }

  /** Returns the pattern of the names of all layers, if a name has the number of one. */
  public static Optional<String> pattern(String name) {
    if (find(name).isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = NAME.matcher(name);
    matcher.find();
    return Optional.of(
        NamePattern.escaped(name.substring(0, matcher.start(1)))
            + "{layer}"
            + NamePattern.escaped(name.substring(matcher.end(1))));
  }
}
