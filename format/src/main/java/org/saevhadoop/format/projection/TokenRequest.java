package org.saevhadoop.format.projection;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.vector.TokenChoice;

/**
 * Requested tokens, by name or as indexes into the stored tokens; index 0 is [CLS] if it was
 * stored.
 *
 * @param name the name; null for indexes
 * @param pieces the indexes in ascending order; empty if a name is given
 */
@PublicApi
public record TokenRequest(@Nullable TokenChoice name, IndexPieces pieces) {
  /** A request for all tokens that were stored. */
  public static final TokenRequest ALL = named(TokenChoice.ALL);

  /**
   * Parses tokens: cls (or special), image (or content), all, or pieces such as {@code 0:64}.
   *
   * @throws IllegalArgumentException if the text has none of these forms or the pieces are not in
   *     ascending order
   */
  public static TokenRequest parse(String text) {
    if (text.matches("\\p{Alpha}+")) {
      return named(TokenChoice.parse(text));
    }
    IndexPieces pieces = IndexPieces.parse(text);
    if (!pieces.mayAscend()) {
      throw new IllegalArgumentException("tokens do not ascend");
    }
    return new TokenRequest(null, pieces);
  }

  private static TokenRequest named(TokenChoice name) {
    return new TokenRequest(name, new IndexPieces(List.of()));
  }

  /** Returns whether all tokens are requested by name. */
  public boolean isAll() {
    return name == TokenChoice.ALL;
  }

  /**
   * Returns the ranges of the requested tokens of activations.
   *
   * @throws FormatException if there are no such tokens, or it is unknown which token is [CLS]
   */
  public List<IndexRange> resolve(Activations activations, String path) throws FormatException {
    int tokens = activations.geometry().tokens();
    if (name == TokenChoice.ALL) {
      return List.of(new IndexRange(0, tokens));
    }
    if (name != null) {
      int cls = activations.requireClsTokens(path, "tokens all, or token indexes");
      return List.of(name.of(tokens, cls, path));
    }
    List<IndexRange> ranges = pieces.resolve(tokens, path, "token");
    for (int i = 1; i < ranges.size(); i++) {
      DatasetError.BAD_SELECTION.check(
          ranges.get(i).start() > ranges.get(i - 1).stop(),
          path,
          "tokens %s are not in ascending order (expected the stored order)",
          pieces);
    }
    return ranges;
  }

  @Override
  public String toString() {
    return name == null ? pieces.toString() : name.toString();
  }
}
