package org.saevhadoop.format.dataset;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.api.PublicApi;

/**
 * Labels of a dataset, open for reading: one unsigned byte per patch, in the order {@code [example,
 * patch]}.
 */
@PublicApi
public interface PatchLabels extends Closeable {
  /**
   * Returns the number of labels per example, which is the number of tokens per example, not
   * counting [CLS].
   */
  int patches();

  /**
   * Reads the labels of consecutive examples into {@code dst} up to its limit.
   *
   * @param dst a buffer with enough remaining space for the labels of a whole number of examples,
   *     and no more
   */
  void read(long first, ByteBuffer dst) throws IOException;
}
