package org.saevhadoop.format.dataset;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The open labels of a dataset: one unsigned byte for each patch, {@code [example, patch]}. */
public interface PatchLabels extends Closeable {
  /** Labels of one example: its tokens without [CLS]. */
  int patches();

  /**
   * Fills {@code dst} up to its limit with the labels of consecutive examples.
   *
   * @param first number of the first example
   * @param dst has room for a whole number of examples
   */
  void read(long first, ByteBuffer dst) throws IOException;
}
