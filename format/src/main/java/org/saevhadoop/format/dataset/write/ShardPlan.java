package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.util.function.LongFunction;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.io.Output;

/**
 * One data file of a dataset that is to be written.
 *
 * @param name its file name
 * @param first number of its first example
 * @param examples how many examples it holds
 * @param header the bytes before the first block
 * @param length the whole file's length; {@link #UNKNOWN} where it is known only once the file is
 *     written
 * @param scattered where the blocks lie, for a file whose blocks do not just follow one another in
 *     the plan's order from the header on; else null
 * @param tail what follows the blocks; null for zeros
 */
public record ShardPlan(
    String name,
    long first,
    long examples,
    byte[] header,
    long length,
    Scattered scattered,
    Tail tail) {
  /** The length of a file that is compressed. */
  public static final long UNKNOWN = -1;

  /**
   * Blocks in places of their own.
   *
   * @param placement byte of the file at which each begins
   * @param end the byte after the last of them, and after what the filler writes
   * @param filler writes what lies among them; null for zeros
   */
  public record Scattered(BlockOffsets placement, long end, Filler filler) {}

  /** Writer of what lies among the blocks of a file. */
  @FunctionalInterface
  public interface Filler {
    /**
     * Writes all that lies among the blocks.
     *
     * @param at gives an output that writes from a byte of the file on
     */
    void fill(LongFunction<Output> at) throws IOException;
  }

  /** Writer of what follows the blocks of a file. */
  @FunctionalInterface
  public interface Tail {
    /** Appends all that follows the blocks, up to the file's length. */
    void writeTo(Output out) throws IOException;
  }

  /** Fills the file up to its length where no tail is given. */
  public ShardPlan {
    if (tail == null) {
      tail = out -> out.extendTo(length);
    }
  }

  /** A file whose blocks follow one another, and nothing but zeros follows them. */
  public ShardPlan(String name, long first, long examples, byte[] header, long length) {
    this(name, first, examples, header, length, null, null);
  }
}
