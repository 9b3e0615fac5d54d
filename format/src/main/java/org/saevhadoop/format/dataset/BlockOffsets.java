package org.saevhadoop.format.dataset;

import java.util.Arrays;

/** Where the blocks of one shard lie. */
@FunctionalInterface
public interface BlockOffsets {
  /** The byte of the file at which a block begins. */
  long offset(long indexInShard, int column);

  /**
   * Block (example, column) begins at byte {@code base[column] + index * stride[column]}, {@code
   * index} being the example's place in the shard.
   */
  static BlockOffsets strided(long[] base, long[] stride) {
    return (index, column) -> base[column] + index * stride[column];
  }

  /** One stride for all columns. */
  static BlockOffsets strided(long[] base, long stride) {
    long[] strides = new long[base.length];
    Arrays.fill(strides, stride);
    return strided(base, strides);
  }

  /** Whole columns, one after another in the given order, from byte {@code start} on. */
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

  /** Whole examples, one after another, their columns in the given order. */
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
