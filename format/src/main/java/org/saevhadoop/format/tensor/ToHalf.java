package org.saevhadoop.format.tensor;

/** Steps that produce F16 in the array of shorts. */
final class ToHalf {
  /** Bits of 2^-14, the smallest normal number of F16. */
  private static final int NORMAL = 0x38800000;

  /**
   * Bits of 65520, the midpoint between the largest number of F16 and the next one that an
   * unlimited exponent would allow.
   */
  private static final int OVERFLOW = 0x477ff000;

  private static final int BEYOND = 0x47800000;

  /** Difference between the exponent biases of F32 and F16, as bits of F32. */
  private static final int BIAS = 112 << 23;

  /**
   * The number that, added to the bits of a power of two, yields a float whose last place in F32
   * equals the last place of F16 at that power; adding this float to a value rounds the value
   * correctly.
   */
  private static final int PLACE = 13 << 23;

  private ToHalf() {}

  /** Rounds F32 to the nearest value. */
  static void nearest(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    short[] to = lanes.shorts;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      int bits = from[i];
      int magnitude = bits & 0x7fffffff;
      if (magnitude < OVERFLOW) {
        // No branch for small numbers: it would be unpredictable for data in which they are mixed
        // with zeros.
        int exponent = Math.max(magnitude & 0x7f800000, NORMAL);
        float last = Float.intBitsToFloat(exponent + PLACE);
        float sum = Float.intBitsToFloat(magnitude) + last;
        int half = Float.floatToRawIntBits(sum) - PLACE - exponent + (exponent - NORMAL >>> 13);
        to[i] = (short) (half | bits >>> 16 & 0x8000);
        int lost = Float.floatToRawIntBits(sum - last) ^ magnitude;
        rounded += (lost | -lost) >>> 31;
      } else {
        to[i] = large(bits, counter);
      }
    }
    counter.rounded += rounded;
  }

  /** Truncates F32 as safetensors-spark does. */
  static void truncated(LaneBuffer lanes, int count, ChangeCounter counter) {
    int[] from = lanes.ints;
    short[] to = lanes.shorts;
    for (int i = 0; i < count; i++) {
      to[i] = truncated(from[i]);
      counter.count(from[i], ToSingle.half(to[i]));
    }
  }

  /** Converts F64 to F32 and truncates it as safetensors-spark does. */
  static void truncatedDouble(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] from = lanes.longs;
    short[] to = lanes.shorts;
    for (int i = 0; i < count; i++) {
      to[i] = truncated(ToSingle.nearest(from[i]));
      counter.count(ToSingle.odd(from[i]), ToSingle.half(to[i]));
    }
  }

  /** Converts a value that overflows, is infinite, or is NaN. */
  private static short large(int bits, ChangeCounter counter) {
    int sign = bits >>> 16 & 0x8000;
    int payload = bits >>> 13 & 0x3ff;
    int nan = payload == 0 ? 1 : payload;
    short half = (short) (sign | 0x7c00 | (ToSingle.isNan(bits) ? nan : 0));
    counter.count(bits, ToSingle.half(half));
    return half;
  }

  private static short truncated(int bits) {
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
      return (short) (sign | 0x7e00);
    }
    if (magnitude >= BEYOND) {
      return (short) (sign | 0x7c00);
    }
    return (short) (magnitude < NORMAL ? sign : sign | magnitude - BIAS >>> 13);
  }
}
