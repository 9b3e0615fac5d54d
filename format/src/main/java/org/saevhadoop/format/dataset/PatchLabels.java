package org.saevhadoop.format.dataset;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.api.PublicApi;

/**
 * Opened labels of a dataset: one unsigned byte per patch, in the order {@code [example, patch]}.
 */
@PublicApi
public interface PatchLabels extends Closeable {
  /** Returns the number of labels per example, which is the number of its tokens without [CLS]. */
  int patches();

  /**
   * Reads the labels of consecutive examples into {@code dst} up to its limit.
   *
   * @param dst a buffer whose remaining size is a whole number of examples
   */
  void read(long first, ByteBuffer dst) throws IOException;
}
