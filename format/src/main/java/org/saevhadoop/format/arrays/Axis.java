package org.saevhadoop.format.arrays;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A dimension of activations; the constants are in the order in which a dataset has the dimensions.
 */
public enum Axis {
  EXAMPLE,
  LAYER,
  TOKEN,
  DIM;

  private static final Map<String, Axis> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("b", EXAMPLE),
          Map.entry("batch", EXAMPLE),
          Map.entry("examples", EXAMPLE),
          Map.entry("n", EXAMPLE),
          Map.entry("sample", EXAMPLE),
          Map.entry("l", LAYER),
          Map.entry("layers", LAYER),
          Map.entry("patch", TOKEN),
          Map.entry("pos", TOKEN),
          Map.entry("position", TOKEN),
          Map.entry("seq", TOKEN),
          Map.entry("seq_len", TOKEN),
          Map.entry("t", TOKEN),
          Map.entry("tokens", TOKEN),
          Map.entry("d", DIM),
          Map.entry("d_model", DIM),
          Map.entry("dims", DIM),
          Map.entry("features", DIM),
          Map.entry("h", DIM),
          Map.entry("hidden", DIM));

  /** Returns the axis that a word denotes in options or other programs; empty if there is none. */
  static Optional<Axis> meant(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return Stream.of(values())
        .filter(axis -> axis.toString().equals(lower))
        .findFirst()
        .or(() -> Optional.ofNullable(OTHER_NAMES.get(lower)));
  }

  /** Returns the name in options and messages. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
