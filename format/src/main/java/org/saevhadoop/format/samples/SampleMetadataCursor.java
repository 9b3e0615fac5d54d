package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * Cursor over sample metadata in the order of the examples; examples without metadata are skipped.
 * The tokens of a sample may be split at file boundaries; see {@link ExampleMetadata#with}.
 */
@PublicApi
@FunctionalInterface
public interface SampleMetadataCursor extends Closeable {
  /**
   * Returns the next metadata, or null at the end and on every later call.
   *
   * @throws org.saevhadoop.format.io.FormatException if the file is invalid
   */
  @Nullable ExampleMetadata next() throws IOException;

  /** Closes the resources of the cursor. By default, there is nothing to close. */
  @Override
  default void close() throws IOException {}
}
