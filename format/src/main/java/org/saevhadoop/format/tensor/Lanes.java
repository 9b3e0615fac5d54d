package org.saevhadoop.format.tensor;

/**
 * Where a group of elements lies between two steps of a conversion: as large as the first cache
 * takes. Floats are their bits throughout, as a float that moves through a register may lose the
 * payload of its NaN.
 */
final class Lanes {
  static final int SIZE = 2048;

  final byte[] bytes = new byte[SIZE];
  final short[] shorts = new short[SIZE];
  final int[] ints = new int[SIZE];
  final long[] longs = new long[SIZE];

  /** Takes the first lanes of one of the arrays to one of the arrays. */
  @FunctionalInterface
  interface Step {
    void run(Lanes lanes, int count, Tally tally);
  }
}
