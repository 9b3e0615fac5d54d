package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.saevhadoop.format.io.Output;

/** Writes to a place among the blocks of a spool, which begins where the file's header ends. */
final class SpoolOutput implements Output {
  private final String path;
  private final FileChannel spool;
  private final long start;
  private long position;

  /**
   * An output from a byte of the file on.
   *
   * @param path as error messages name the file
   */
  SpoolOutput(String path, FileChannel spool, ShardPlan shard, long position) {
    this.path = path;
    this.spool = spool;
    this.start = shard.header().length;
    this.position = position;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    while (src.hasRemaining()) {
      position += spool.write(src, position - start);
    }
  }

  /** Skips: what nobody writes is zero. */
  @Override
  public void extendTo(long length) {
    position = Math.max(position, length);
  }

  /** Leaves the spool open. */
  @Override
  public void close() {}
}
