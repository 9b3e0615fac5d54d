package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Output;

/**
 * Data file of a dataset to be written.
 *
 * @param first the number of its first example
 * @param length the length of the whole file, or {@link #UNKNOWN} if it is known only after the
 *     file is written
 * @param scattered the offsets of the blocks, for a file whose blocks are not stored contiguously
 *     after the header in the order of the plan; otherwise null
 * @param tail the writer of the bytes after the blocks; null for zeros
 * @param lead the bytes between the header and the blocks; null for none
 */
public record ShardPlan(
    String name,
    long first,
    long examples,
    byte[] header,
    long length,
    @Nullable Scattered scattered,
    Io.@Nullable Consumer<Output> tail,
    @Nullable Lead lead) {
  /**
   * Placeholder for the length of a file, such as a compressed file, that is unknown until the file
   * is written.
   */
  public static final long UNKNOWN = -1;

  /**
   * Blocks at individual offsets.
   *
   * @param placement the offsets of the blocks in the file, in bytes
   * @param end the offset after the last block and after all bytes that the filler writes
   * @param filler the writer of the bytes between the blocks; null for zeros
   */
  public record Scattered(BlockOffsets placement, long end, @Nullable Filler filler) {}

  /** Writer of the bytes between the blocks of a file. */
  @FunctionalInterface
  public interface Filler {
    /**
     * Writes all bytes between the blocks.
     *
     * @param at a function that returns an output starting at the given offset in the file
     */
    void fill(LongFunction<Output> at) throws IOException;
  }

  /**
   * Bytes between the header and the blocks.
   *
   * @param writer appends these bytes
   */
  public record Lead(long bytes, Io.Consumer<Output> writer) {}

  /** Returns the offset after all bytes before the blocks. */
  public long blocksBegin() {
    return header.length + (lead == null ? 0 : lead.bytes());
  }

  /** Writes all bytes before the blocks. */
  public void writeHead(Output out) throws IOException {
    out.write(ByteBuffer.wrap(header));
    if (lead != null) {
      lead.writer().accept(out);
    }
  }

  /** Appends all bytes after the blocks. */
  public void writeTail(Output out) throws IOException {
    if (tail == null) {
      out.extendTo(length);
    } else {
      tail.accept(out);
    }
  }

  /** Creates a file whose blocks follow its header. */
  public ShardPlan(
      String name,
      long first,
      long examples,
      byte[] header,
      long length,
      @Nullable Scattered scattered,
      Io.@Nullable Consumer<Output> tail) {
    this(name, first, examples, header, length, scattered, tail, null);
  }

  /** Creates a file whose contiguous blocks are followed only by zeros. */
  public ShardPlan(String name, long first, long examples, byte[] header, long length) {
    this(name, first, examples, header, length, null, null, null);
  }
}
