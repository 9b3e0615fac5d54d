package org.saevhadoop.format.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * Where a group of elements lies between two steps of a conversion: as large as the first cache
 * takes. Floats are their bits throughout, as a float that moves through a register may lose the
 * payload of its NaN.
 *
 * <p>The loops over these arrays are as JDK 17 compiles them to vectors: a few operations each,
 * without a branch, a Math.max or a change of width, and each in a method of its own. It does not
 * do that for the bits of a float either, so where a loop needs both, they are copied.
 */
final class LaneBuffer {
  static final int SIZE = 1024;

  final byte[] bytes = new byte[SIZE];
  final short[] shorts = new short[SIZE];
  final int[] ints = new int[SIZE];
  final long[] longs = new long[SIZE];

  /** For what a step needs in between. */
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

  /** Takes the first lanes of one of the arrays to one of the arrays. */
  @FunctionalInterface
  interface Step {
    void run(LaneBuffer lanes, int count, ChangeCounter tally);
  }

  /** The floats of these bits. */
  void toFloats(int[] from, float[] to, int count) {
    asInts.put(0, from, 0, count);
    asFloats.get(0, to, 0, count);
  }

  /** The bits of these floats, of which none is a NaN. */
  void toBits(float[] from, int[] to, int count) {
    asFloats.put(0, from, 0, count);
    asInts.get(0, to, 0, count);
  }

  /** Whether any of these, of which {@code mask} leaves no sign, is {@code limit} or more. */
  static boolean anyFrom(int limit, int mask, int[] bits, int count) {
    int beyond = 0;
    for (int i = 0; i < count; i++) {
      beyond += limit - 1 - (bits[i] & mask) >>> 31;
    }
    return beyond > 0;
  }

  /** The lower halves. */
  static void narrow(int[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[i];
    }
  }
}
