package org.saevhadoop.format.attributes;

import java.io.IOException;

/** The attributes of a dataset's examples. */
@FunctionalInterface
public interface Attributes {
  /** Those of examples that have none. */
  Attributes NONE =
      (first, count) ->
          new AttributeCursor() {
            @Override
            public ExampleAttributes next() {
              return null;
            }

            @Override
            public void close() {
              // nothing is open
            }
          };

  /**
   * Opens those of some examples, to be closed by the caller.
   *
   * @param first number of the first example
   * @param count how many examples, at most; what there is beyond the dataset's end is nothing
   */
  AttributeCursor cursor(long first, long count) throws IOException;
}
