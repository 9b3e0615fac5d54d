package org.saevhadoop.format.reader.vector;

import java.util.Locale;

/** Choice of the tokens of an example. */
public enum TokenChoice {
  /** Only [CLS]; SAEV 2 names it {@code special}. */
  CLS,
  /** All tokens except [CLS]; SAEV 2 names them {@code content}. */
  IMAGE,
  /** All stored tokens. */
  ALL;

  /**
   * Parses a name: cls or special, image or content, all.
   *
   * @throws IllegalArgumentException if the name is unknown
   */
  public static TokenChoice parse(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "cls", "special" -> CLS;
      case "image", "content" -> IMAGE;
      case "all" -> ALL;
      default ->
          throw new IllegalArgumentException(
              "\"%s\" names no tokens (expected cls, special, image, content or all)"
                  .formatted(name));
    };
  }

  /** Returns the name that {@link #parse} accepts. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
