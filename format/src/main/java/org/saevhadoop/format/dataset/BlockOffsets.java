package org.saevhadoop.format.dataset;

import java.util.Arrays;

/** Offsets of the blocks of one shard. */
@FunctionalInterface
public interface BlockOffsets {
  /** Returns the offset in the file, in bytes, of a block. */
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
   * Returns the offsets of whole columns that are stored one after another, in the given order,
   * from byte {@code start}.
   */
  static BlockOffsets byColumn(TableShape table, BlockOrder order, long examples, long start) {
    long[] base = new long[table.columns().size()];
    long[] stride = new long[base.length];
    long at = start;
    for (int column : order.columns()) {
      base[column] = at;
      stride[column] = table.blockBytes(column);
      at += stride[column] * examples;
    }
    return strided(base, stride);
  }

  /**
   * Returns the offsets of whole examples that are stored one after another from byte {@code
   * start}, each with its columns in the given order.
   */
  static BlockOffsets byExample(TableShape table, BlockOrder order, long start) {
    long[] base = new long[table.columns().size()];
    long at = start;
    for (int column : order.columns()) {
      base[column] = at;
      at += table.blockBytes(column);
    }
    return strided(base, table.exampleBytes());
  }
}
