package org.saevhadoop.format.samples;

import java.io.IOException;

/** The attributes of a dataset's examples. */
@FunctionalInterface
public interface SampleMetadata {
  /** Those of examples that have none. */
  SampleMetadata NONE =
      (first, count) ->
          new SampleMetadataCursor() {
            @Override
            public ExampleMetadata next() {
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
  SampleMetadataCursor cursor(long first, long count) throws IOException;
}
