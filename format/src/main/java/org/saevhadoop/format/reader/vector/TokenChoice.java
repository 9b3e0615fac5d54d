package org.saevhadoop.format.reader.vector;

import java.util.Locale;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.FormatException;

/** Choice of the tokens of an example. */
@PublicApi
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

  /**
   * Returns the chosen tokens.
   *
   * @param tokens the number of stored tokens
   * @param clsTokens 1 if token 0 is [CLS], otherwise 0
   * @throws FormatException if no such token was stored
   */
  public IndexRange of(int tokens, int clsTokens, String path) throws FormatException {
    DatasetError.NO_SUCH_TOKEN.check(
        this != CLS || clsTokens == 1,
        path,
        "no [CLS] token was stored (expected tokens image or all)");
    DatasetError.NO_SUCH_TOKEN.check(
        this != IMAGE || tokens > clsTokens,
        path,
        "only [CLS] was stored (expected tokens cls or all)");
    return new IndexRange(this == IMAGE ? clsTokens : 0, this == CLS ? 1 : tokens);
  }

  /** Returns the name that {@link #parse} accepts. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
