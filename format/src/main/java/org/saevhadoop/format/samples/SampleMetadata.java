package org.saevhadoop.format.samples;

import java.io.IOException;
import org.saevhadoop.format.api.PublicApi;

/** Sample metadata of the examples of a dataset. */
@PublicApi
@FunctionalInterface
public interface SampleMetadata {
  /** The metadata of a dataset whose examples have no metadata. */
  SampleMetadata NONE = (first, count) -> () -> null;

  /**
   * Opens a cursor over the metadata of a range of examples; the caller must close it.
   *
   * @param first the number of the first example
   * @param count the maximum number of examples; the range may extend beyond the end of the dataset
   */
  SampleMetadataCursor cursor(long first, long count) throws IOException;
}
