package org.saevhadoop.format.pickleshards.unpacked;

import java.util.List;
import java.util.Map;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.tensor.DType;

/**
 * Locations of the arrays of one unpacked shard.
 *
 * @param source the path of the shard relative to the directory of the dataset
 * @param lines the sample ids in the order of their first occurrence, one per line of sample
 *     metadata that the shard adds to the lines of its part
 * @param facts the facts about the shard and about the shard with the other halves, by relative
 *     path
 */
record ShardCatalogue(
    String source,
    List<Long> lines,
    List<Layer> layers,
    Map<String, ShardFacts> facts,
    List<String> notes) {
  /**
   * Flag for a location in the source shard; without the flag, the location is a position in the
   * spool.
   */
  static final long IN_SOURCE = 1L << 62;

  /** Location of an array that was not kept. */
  static final long DROPPED = -1;

  /** Checksum of an array whose bytes can all be read. */
  static final long NO_CHECKSUM = -1;

  record Layer(int number, List<Entry> arrays) {}

  /**
   * One array.
   *
   * @param dim the number of values per token
   * @param address the location of the block or of the part that was kept
   * @param checksum the CRC-32C of the elements; {@link #NO_CHECKSUM} if all of them can be read
   */
  record Entry(long id, DType dtype, long tokens, long dim, long address, long checksum) {
    long bytes() {
      return tokens * dim * dtype.bits() / Byte.SIZE;
    }
  }

  /** Returns whether any chosen block was not kept, regardless of the chosen tokens. */
  boolean hasDropped(BlockChoice choice) {
    return layers.stream()
        .anyMatch(
            layer ->
                layer.arrays.stream()
                    .anyMatch(e -> e.address == DROPPED && choice.has(layer.number, e.id)));
  }
}
