package org.saevhadoop.format.tensor;

import java.nio.ByteBuffer;

/**
 * A buffer for a group of elements between the steps of a conversion, sized for the L1 cache.
 * Floats are always stored as their bits, because a NaN that moves through a floating-point
 * register can lose its payload.
 *
 * <p>The BF16 loops have the form that JDK 17 vectorizes: few operations, no branches, no {@code
 * Math.max}, no change of width, and one loop per method.
 */
final class LaneBuffer {
  static final int SIZE = 1024;

  final byte[] bytes = new byte[SIZE];
  final short[] shorts = new short[SIZE];
  final int[] ints = new int[SIZE];
  final long[] longs = new long[SIZE];

  final int[] work = new int[SIZE];

  /** Converts the first lanes of an array and stores the results in the same or another array. */
  @FunctionalInterface
  interface Step {
    void run(LaneBuffer lanes, int count, ChangeCounter counter);
  }

  /**
   * Reads the next elements of a little-endian buffer into the first lanes of the array whose width
   * is that of the elements. The position of the buffer is undefined afterwards.
   *
   * @param bits the width of the elements
   */
  void get(int bits, ByteBuffer from, int count) {
    switch (bits) {
      case 8 -> from.get(bytes, 0, count);
      case 16 -> from.asShortBuffer().get(shorts, 0, count);
      case 32 -> from.asIntBuffer().get(ints, 0, count);
      default -> from.asLongBuffer().get(longs, 0, count);
    }
  }

  /** Writes the first lanes of the array that {@link #get} fills. */
  void put(int bits, ByteBuffer to, int count) {
    switch (bits) {
      case 8 -> to.put(bytes, 0, count);
      case 16 -> to.asShortBuffer().put(shorts, 0, count);
      case 32 -> to.asIntBuffer().put(ints, 0, count);
      default -> to.asLongBuffer().put(longs, 0, count);
    }
  }

  /** Returns whether any value, after {@code mask} is applied, is at least {@code limit}. */
  static boolean anyFrom(int limit, int mask, int[] bits, int count) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond += limit - 1 - (bits[i] & mask) >>> 31;
    }
    return beyond > 0;
  }

  static void narrow(int[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[i];
    }
  }
}
