package org.saevhadoop.format.dataset.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Receiver of the blocks of one data file. Closing the sink checks that the file is complete. */
public interface BlockSink extends Closeable {
  /**
   * Writes a block.
   *
   * @throws org.saevhadoop.format.io.FormatException if the block does not belong at this position
   */
  void write(long example, int column, ByteBuffer block) throws IOException;

  /**
   * Writes consecutive blocks, in the order of the plan, if this sink can write them together;
   * otherwise writes nothing and returns false.
   *
   * @param example the example of the first block
   * @param column the column of the first block
   * @throws org.saevhadoop.format.io.FormatException if a block does not belong at this position
   */
  default boolean writeRun(long example, int column, ByteBuffer blocks) throws IOException {
    return false;
  }

  /**
   * Completes the file.
   *
   * @throws org.saevhadoop.format.io.FormatException if blocks are missing
   */
  @Override
  void close() throws IOException;
}
