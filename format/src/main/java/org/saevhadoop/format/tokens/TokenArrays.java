package org.saevhadoop.format.tokens;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.api.PublicApi;

/**
 * Arrays of one integer for each token of a dataset's examples, such as the ids of the tokens. Like
 * labels, they are copied separately rather than transferred as blocks.
 */
@PublicApi
public interface TokenArrays {
  /** The value that marks padding: a token that was added to an example to pad it. */
  long PADDING = -1;

  /** No arrays. */
  TokenArrays NONE =
      new TokenArrays() {
        @Override
        public List<String> names() {
          return List.of();
        }

        @Override
        public int tokens() {
          return 0;
        }

        @Override
        public TokenReader open() {
          throw new IllegalStateException("there are no arrays");
        }
      };

  /**
   * Returns the names of the arrays, which are valid file names: letters, digits, underscores and
   * hyphens.
   */
  List<String> names();

  /** Returns the number of tokens of each example. */
  int tokens();

  /** Opens the arrays; the caller must close them. */
  TokenReader open() throws IOException;

  /** Returns whether there are no arrays. */
  default boolean isEmpty() {
    return names().isEmpty();
  }
}
