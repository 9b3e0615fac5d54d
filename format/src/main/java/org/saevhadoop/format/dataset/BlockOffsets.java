package org.saevhadoop.format.dataset;

import java.util.Arrays;
import org.saevhadoop.format.api.PublicApi;

/** Offsets of the blocks of one shard. */
@PublicApi
@FunctionalInterface
public interface BlockOffsets {
  /** Returns the offset of a block in the file, in bytes. */
  long offset(long indexInShard, int column);

  /**
   * Returns offsets with one stride for each column: block (example, column) begins at byte {@code
   * base[column] + index * stride[column]}, where {@code index} is the index of the example in the
   * shard.
   */
  static BlockOffsets strided(long[] base, long[] stride) {
    return (index, column) -> base[column] + index * stride[column];
  }

  /** Returns offsets with the same stride for all columns. */
  static BlockOffsets strided(long[] base, long stride) {
    long[] strides = new long[base.length];
    Arrays.fill(strides, stride);
    return strided(base, strides);
  }

  /**
   * Returns the offsets of the blocks of {@code examples} examples, which are stored in the given
   * order, without gaps, starting at byte {@code start}.
   */
  static BlockOffsets contiguous(TableShape table, BlockOrder order, long examples, long start) {
    long[] base = new long[table.columns().size()];
    long[] stride = new long[base.length];
    long example = table.exampleBytes();
    long at = start;
    for (int column : order.columns()) {
      long bytes = table.blockBytes(column);
      base[column] = at;
      stride[column] = order.byLayer() ? bytes : example;
      at += order.byLayer() ? bytes * examples : bytes;
    }
    return strided(base, stride);
  }
}
