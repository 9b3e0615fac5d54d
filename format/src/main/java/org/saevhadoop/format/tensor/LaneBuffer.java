package org.saevhadoop.format.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * Buffer for a group of elements between the steps of a conversion, sized for the L1 cache. Floats
 * are kept as their bits throughout, because a float that moves through a register may lose the NaN
 * payload.
 *
 * <p>The loops over these arrays have the form that JDK 17 vectorizes: few operations, no branches,
 * no {@code Math.max}, no change of width, and one loop per method. JDK 17 does not vectorize
 * access to the bits of a float either, so a loop that needs both works on a copy.
 */
final class LaneBuffer {
  static final int SIZE = 1024;

  final byte[] bytes = new byte[SIZE];
  final short[] shorts = new short[SIZE];
  final int[] ints = new int[SIZE];
  final long[] longs = new long[SIZE];

  /** Temporary arrays for steps. */
  final int[] first = new int[SIZE];

  final int[] second = new int[SIZE];
  final int[] work = new int[SIZE];
  final float[] firstFloats = new float[SIZE];
  final float[] secondFloats = new float[SIZE];

  private final IntBuffer asInts;
  private final FloatBuffer asFloats;

  LaneBuffer() {
    ByteBuffer both = ByteBuffer.allocate(SIZE * Float.BYTES).order(ByteOrder.nativeOrder());
    asInts = both.asIntBuffer();
    asFloats = both.asFloatBuffer();
  }

  /** Converts the first lanes of one of the arrays into one of the arrays. */
  @FunctionalInterface
  interface Step {
    void run(LaneBuffer lanes, int count, ChangeCounter counter);
  }

  /**
   * Reads the next elements of a little-endian buffer into the first lanes of the array with their
   * width. The position of the buffer is undefined afterwards.
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

  /** Writes the first lanes as {@link #get} reads them. */
  void put(int bits, ByteBuffer to, int count) {
    switch (bits) {
      case 8 -> to.put(bytes, 0, count);
      case 16 -> to.asShortBuffer().put(shorts, 0, count);
      case 32 -> to.asIntBuffer().put(ints, 0, count);
      default -> to.asLongBuffer().put(longs, 0, count);
    }
  }

  /** Converts bits to floats. */
  void toFloats(int[] from, float[] to, int count) {
    asInts.put(0, from, 0, count);
    asFloats.get(0, to, 0, count);
  }

  /** Converts floats, none of which is NaN, to bits. */
  void toBits(float[] from, int[] to, int count) {
    asFloats.put(0, from, 0, count);
    asInts.get(0, to, 0, count);
  }

  /** Returns whether any value, after {@code mask} removes its sign, is at least {@code limit}. */
  static boolean anyFrom(int limit, int mask, int[] bits, int count) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond += limit - 1 - (bits[i] & mask) >>> 31;
    }
    return beyond > 0;
  }

  /** Stores the lower halves. */
  static void narrow(int[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[i];
    }
  }
}
