package org.saevhadoop.format.tensor;

/** Steps whose result is the bits of float64 in the longs. */
final class ToDouble {
  private static final long EXACT = 1L << 53;

  private ToDouble() {}

  /** Converts F32 exactly; a NaN keeps its payload and becomes quiet. */
  static void fromSingle(LaneBuffer lanes, int count, ChangeCounter tally) {
    int[] from = lanes.ints;
    long[] to = lanes.longs;
    for (int i = 0; i < count; i++) {
      to[i] = ToSingle.isNan(from[i]) ? quiet(from[i], tally) : number(from[i]);
    }
  }

  /** Converts the F32 of an F16 exactly; a NaN keeps its payload and stays signalling. */
  static void fromSingleOfHalf(LaneBuffer lanes, int count, ChangeCounter tally) {
    int[] from = lanes.ints;
    long[] to = lanes.longs;
    for (int i = 0; i < count; i++) {
      to[i] = single(from[i]);
    }
  }

  /** I64 and what is narrower, to the nearest. */
  static void fromSigned(LaneBuffer lanes, int count, ChangeCounter tally) {
    long[] values = lanes.longs;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      rounded += isExact(Math.abs(values[i])) ? 0 : 1;
      values[i] = Double.doubleToRawLongBits((double) values[i]);
    }
    tally.rounded += rounded;
  }

  /** U64, to the nearest. */
  static void fromUnsigned(LaneBuffer lanes, int count, ChangeCounter tally) {
    long[] values = lanes.longs;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      rounded += isExact(values[i]) ? 0 : 1;
      values[i] = Double.doubleToRawLongBits(unsigned(values[i]));
    }
    tally.rounded += rounded;
  }

  /** I64 and what is narrower, as {@link ToSingle#odd}. */
  static void fromSignedOdd(LaneBuffer lanes, int count, ChangeCounter tally) {
    long[] values = lanes.longs;
    for (int i = 0; i < count; i++) {
      values[i] = odd(Math.abs(values[i])) | values[i] & Long.MIN_VALUE;
    }
  }

  /** U64, as {@link ToSingle#odd}. */
  static void fromUnsignedOdd(LaneBuffer lanes, int count, ChangeCounter tally) {
    long[] values = lanes.longs;
    for (int i = 0; i < count; i++) {
      values[i] = odd(values[i]);
    }
  }

  /** The bits of an F32's double, a NaN with its payload and as quiet as it was. */
  static long single(int bits) {
    return ToSingle.isNan(bits) ? nan(bits) : number(bits);
  }

  private static long number(int bits) {
    return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
  }

  private static long nan(int bits) {
    return (bits & 0x80000000L) << 32 | 0x7ff0000000000000L | (bits & 0x007fffffL) << 29;
  }

  private static long quiet(int bits, ChangeCounter tally) {
    tally.nan += ~bits >>> 22 & 1;
    return nan(bits | ToSingle.QUIET);
  }

  static double unsigned(long value) {
    return value >= 0 ? (double) value : (double) (value >>> 1 | value & 1) * 2;
  }

  /** Whether an unsigned number has 53 bits or less from the first set one to the last. */
  private static boolean isExact(long magnitude) {
    return Long.compareUnsigned(magnitude, EXACT) <= 0
        || Long.numberOfLeadingZeros(magnitude) + Long.numberOfTrailingZeros(magnitude) >= 11;
  }

  /** The bits of an unsigned number's double. */
  private static long odd(long magnitude) {
    if (Long.compareUnsigned(magnitude, EXACT) <= 0) {
      return Double.doubleToRawLongBits((double) magnitude);
    }
    int excess = 11 - Long.numberOfLeadingZeros(magnitude);
    long kept = magnitude >>> excess << excess;
    return Double.doubleToRawLongBits(unsigned(kept)) | (kept == magnitude ? 0 : 1);
  }
}
