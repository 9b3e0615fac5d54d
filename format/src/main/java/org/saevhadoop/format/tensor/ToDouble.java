package org.saevhadoop.format.tensor;

/** Steps that produce the bits of float64 in the array of longs. */
final class ToDouble {
  private static final long EXACT = 1L << 53;

  private ToDouble() {}

  /** Converts F32 exactly; a NaN keeps its payload and becomes quiet. */
  static void fromSingle(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    long[] to = lanes.longs;
    for (int i = 0; i < count; i++) {
      to[i] = ToSingle.isNan(from[i]) ? quiet(from[i], counter) : number(from[i]);
    }
  }

  /**
   * Exactly converts F32 values that were converted from F16; a NaN keeps its payload and remains
   * signalling.
   */
  static void fromSingleOfHalf(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    long[] to = lanes.longs;
    for (int i = 0; i < count; i++) {
      to[i] = single(from[i]);
    }
  }

  /** Rounds I64 and narrower signed integers to the nearest value. */
  static void fromSigned(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      rounded += isExact(Math.abs(values[i])) ? 0 : 1;
      values[i] = Double.doubleToRawLongBits((double) values[i]);
    }
    counter.rounded += rounded;
  }

  /** Rounds U64 to the nearest value. */
  static void fromUnsigned(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      rounded += isExact(values[i]) ? 0 : 1;
      values[i] = Double.doubleToRawLongBits(unsigned(values[i]));
    }
    counter.rounded += rounded;
  }

  /** Rounds I64 and narrower signed integers as {@link ToSingle#odd} does. */
  static void fromSignedOdd(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    for (int i = 0; i < count; i++) {
      values[i] = odd(Math.abs(values[i])) | values[i] & Long.MIN_VALUE;
    }
  }

  /** Rounds U64 as {@link ToSingle#odd} does. */
  static void fromUnsignedOdd(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    for (int i = 0; i < count; i++) {
      values[i] = odd(values[i]);
    }
  }

  /** Returns the bits of the double equal to an F32; a NaN keeps its payload and its quiet bit. */
  static long single(int bits) {
    return ToSingle.isNan(bits) ? nan(bits) : number(bits);
  }

  private static long number(int bits) {
    return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
  }

  private static long nan(int bits) {
    return (bits & 0x80000000L) << 32 | 0x7ff0000000000000L | (bits & 0x007fffffL) << 29;
  }

  private static long quiet(int bits, ChangeCounter counter) {
    counter.nan += ~bits >>> 22 & 1;
    return nan(bits | ToSingle.QUIET);
  }

  static double unsigned(long value) {
    return value >= 0 ? (double) value : (double) (value >>> 1 | value & 1) * 2;
  }

  /** Returns whether an unsigned number has at most 53 bits from its first set bit to its last. */
  private static boolean isExact(long magnitude) {
    return Long.compareUnsigned(magnitude, EXACT) <= 0
        || Long.numberOfLeadingZeros(magnitude) + Long.numberOfTrailingZeros(magnitude) >= 11;
  }

  /** Returns the bits of the double for an unsigned number, rounded to odd. */
  private static long odd(long magnitude) {
    if (Long.compareUnsigned(magnitude, EXACT) <= 0) {
      return Double.doubleToRawLongBits((double) magnitude);
    }
    int excess = 11 - Long.numberOfLeadingZeros(magnitude);
    long kept = magnitude >>> excess << excess;
    return Double.doubleToRawLongBits(unsigned(kept)) | (kept == magnitude ? 0 : 1);
  }
}
