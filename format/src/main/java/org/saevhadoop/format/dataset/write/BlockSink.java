package org.saevhadoop.format.dataset.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the blocks of one data file. Closing it demands that it is complete. */
public interface BlockSink extends Closeable {
  /**
   * Takes a block.
   *
   * @throws org.saevhadoop.format.io.FormatException where the block does not belong here
   */
  void write(long example, int column, ByteBuffer block) throws IOException;

  /**
   * Ends the file.
   *
   * @throws org.saevhadoop.format.io.FormatException where blocks are missing
   */
  @Override
  void close() throws IOException;
}
