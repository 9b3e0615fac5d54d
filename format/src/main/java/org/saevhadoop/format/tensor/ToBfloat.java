package org.saevhadoop.format.tensor;

/** Steps that produce BF16 in the array of shorts. */
final class ToBfloat {
  /**
   * Bits of the midpoint between the largest number of BF16 and the next one that an unlimited
   * exponent would allow.
   */
  private static final int OVERFLOW = 0x7f7f8000;

  private ToBfloat() {}

  /** Rounds F32 to the nearest value. */
  static void nearest(LaneBuffer lanes, int count, ChangeCounter counter) {
    if (LaneBuffer.anyFrom(OVERFLOW, 0x7fffffff, lanes.ints, count)) {
      nearestOfAny(lanes, count, counter);
      return;
    }
    int[] bits = lanes.ints;
    int[] rounded = lanes.work;
    roundEach(bits, rounded, count);
    counter.rounded += inexact(bits, count);
    LaneBuffer.narrow(rounded, lanes.shorts, count);
  }

  private static void roundEach(int[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i] + 0x7fff + (from[i] >>> 16 & 1) >>> 16;
    }
  }

  private static int inexact(int[] bits, int count) {
    int inexact = 0;
    for (int i = 0; i < count; i++) {
      inexact += (bits[i] & 0xffff) + 0xffff >>> 16;
    }
    return inexact;
  }

  /** Rounds F32 to the nearest value; the values may include infinities and NaNs. */
  private static void nearestOfAny(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    short[] to = lanes.shorts;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      int bits = from[i];
      if ((bits & 0x7fffffff) < OVERFLOW) {
        rounded += (bits & 0xffff) + 0xffff >>> 16;
        to[i] = (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
      } else {
        to[i] = large(bits, counter);
      }
    }
    counter.rounded += rounded;
  }

  static void truncated(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    short[] to = lanes.shorts;
    for (int i = 0; i < count; i++) {
      to[i] = (short) (from[i] >>> 16);
      counter.count(from[i], to[i] << 16);
    }
  }

  /** Takes the first 16 bits of the F32 value nearest to the F64 value. */
  static void truncatedDouble(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] from = lanes.longs;
    short[] to = lanes.shorts;
    for (int i = 0; i < count; i++) {
      to[i] = (short) (ToSingle.nearest(from[i]) >>> 16);
      counter.count(ToSingle.odd(from[i]), to[i] << 16);
    }
  }

  /** Converts a value that overflows, is infinite, or is NaN. */
  private static short large(int bits, ChangeCounter counter) {
    int quiet = ToSingle.isNan(bits) ? ToSingle.QUIET : 0;
    short bfloat = (short) ((bits & 0x80000000 | ToSingle.INFINITY | quiet) >>> 16);
    counter.count(bits, bfloat << 16);
    return bfloat;
  }
}
