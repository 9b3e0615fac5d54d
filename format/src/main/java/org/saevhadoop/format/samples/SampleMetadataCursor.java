package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;

/**
 * Attributes in the order of their examples; examples without attributes are passed over. The
 * tokens of a sample may come in pieces, as files cut them: {@link ExampleMetadata#with}.
 */
public interface SampleMetadataCursor extends Closeable {
  /**
   * The next ones; null at the end, and ever after.
   *
   * @throws org.saevhadoop.format.io.FormatException where the file is not as it must be
   */
  ExampleMetadata next() throws IOException;
}
