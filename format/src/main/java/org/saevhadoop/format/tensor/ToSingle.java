package org.saevhadoop.format.tensor;

/** Steps that produce the bits of float32 in the array of ints. */
final class ToSingle {
  /** Bits of the F64 that equals the largest number of F32. */
  private static final long MAX_FINITE = 0x47efffffe0000000L;

  static final int INFINITY = 0x7f800000;

  /** The bit that is set in a quiet NaN. */
  static final int QUIET = 0x00400000;

  private ToSingle() {}

  /** Converts F16 exactly; a NaN keeps its payload and remains signalling. */
  static void fromHalf(LaneBuffer lanes, int count, ChangeCounter counter) {
    short[] from = lanes.shorts;
    int[] to = lanes.ints;
    for (int i = 0; i < count; i++) {
      to[i] = half(from[i]);
    }
  }

  /** Converts BF16 exactly; a NaN keeps its payload and remains signalling. */
  static void fromBfloat(LaneBuffer lanes, int count, ChangeCounter counter) {
    short[] from = lanes.shorts;
    int[] to = lanes.ints;
    for (int i = 0; i < count; i++) {
      to[i] = from[i] << 16;
    }
  }

  /** Replaces NaNs with the quiet NaN with the same sign and no payload. */
  static void dropPayloads(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] bits = lanes.ints;
    if (!LaneBuffer.anyFrom(INFINITY + 1, 0x7fffffff, bits, count)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (isNan(bits[i])) {
        int quiet = bits[i] & 0x80000000 | INFINITY | QUIET;
        counter.nan += bits[i] == quiet ? 0 : 1;
        bits[i] = quiet;
      }
    }
  }

  /** Rounds F64 to the nearest value. */
  static void nearest(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] from = lanes.longs;
    int[] to = lanes.ints;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      long bits = from[i];
      if ((bits & Long.MAX_VALUE) <= MAX_FINITE) {
        float single = (float) Double.longBitsToDouble(bits);
        to[i] = Float.floatToRawIntBits(single);
        long lost = Double.doubleToRawLongBits(single) ^ bits;
        rounded += (int) ((lost | -lost) >>> 63);
      } else {
        to[i] = large(bits, counter);
      }
    }
    counter.rounded += rounded;
  }

  /** Converts an F64 that is beyond the range of F32, infinite or NaN. */
  private static int large(long bits, ChangeCounter counter) {
    int single = nearest(bits);
    if ((single & 0x7f800000) != 0x7f800000) {
      counter.rounded++;
    } else if (ToDouble.single(single) != bits) {
      if (isNan(single)) {
        counter.nan++;
      } else {
        counter.overflowed++;
      }
    }
    return single;
  }

  /**
   * Rounds F64 to odd: truncates it and sets the last bit if the result is inexact. If the result
   * is then rounded to a type with at least two fewer bits, the outcome is the same as if it were
   * rounded in one step, and inexact values remain inexact.
   */
  static void odd(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] from = lanes.longs;
    int[] to = lanes.ints;
    for (int i = 0; i < count; i++) {
      to[i] = odd(from[i]);
    }
  }

  static boolean isNan(int bits) {
    return (bits & 0x7fffffff) > INFINITY;
  }

  static int half(short bits) {
    int magnitude = (bits & 0x7fff) << 13;
    int sign = (bits & 0x8000) << 16;
    if (magnitude >= 0x0f800000) {
      return sign | magnitude + 0x70000000;
    }
    // The fraction of a subnormal number is placed after a 1, which is then subtracted. No branch:
    // it would be unpredictable for data in which such numbers are mixed with zeros.
    int subnormal = magnitude - 0x00800000 >> 31;
    float number = Float.intBitsToFloat(magnitude + 0x38000000 + (subnormal & 0x00800000));
    float one = Float.intBitsToFloat(subnormal & 0x38800000);
    return sign | Float.floatToRawIntBits(number - one);
  }

  static int nearest(long bits) {
    double value = Double.longBitsToDouble(bits);
    if (value != value) {
      return nan(bits) | QUIET;
    }
    return Float.floatToRawIntBits((float) value);
  }

  static int odd(long bits) {
    double value = Double.longBitsToDouble(bits);
    if (value != value) {
      return nan(bits) | ((bits & 0x1fffffff) != 0 ? 1 : 0);
    }
    float nearest = (float) value;
    int single = Float.floatToRawIntBits(nearest);
    if (nearest == value) {
      return single;
    }
    return (Math.abs((double) nearest) > Math.abs(value) ? single - 1 : single) | 1;
  }

  private static int nan(long bits) {
    return (int) (bits >>> 32) & 0x80000000 | 0x7f800000 | (int) (bits >>> 29) & 0x007fffff;
  }
}
