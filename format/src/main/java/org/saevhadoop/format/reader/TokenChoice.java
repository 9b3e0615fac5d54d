package org.saevhadoop.format.reader;

import java.util.Locale;

/** Which tokens of an example a reader asks for. */
public enum TokenChoice {
  /** Only [CLS]; SAEV 2 calls it {@code special}. */
  CLS,
  /** All but [CLS]; SAEV 2 calls them {@code content}. */
  IMAGE,
  /** All that are stored. */
  ALL;

  /**
   * The tokens of a name: cls or special, image or content, all.
   *
   * @throws IllegalArgumentException where it is none of these
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

  /** The name that {@link #parse} takes. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
