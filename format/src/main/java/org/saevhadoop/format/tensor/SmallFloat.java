package org.saevhadoop.format.tensor;

/**
 * 8-bit floats, whose values float32 can represent exactly (OCP 8-bit Floating Point Specification
 * 1.0 and OCP Microscaling Formats 1.0; the FNUZ types are defined by ml_dtypes).
 */
public final class SmallFloat {
  private SmallFloat() {}

  /**
   * Returns the value of an element.
   *
   * @throws IllegalArgumentException if the type is not an 8-bit float
   */
  public static float of(DType dtype, byte element) {
    int bits = element & 0xff;
    return switch (dtype) {
      case F8_E8M0 -> bits == 0xff ? Float.NaN : Math.scalb(1f, bits - 127);
      case F8_E4M3 -> (bits & 0x7f) == 0x7f ? Float.NaN : number(bits, 3, 7);
      case F8_E4M3FNUZ -> bits == 0x80 ? Float.NaN : number(bits, 3, 8);
      case F8_E5M2FNUZ -> bits == 0x80 ? Float.NaN : number(bits, 2, 16);
      case F8_E5M2 -> (bits & 0x7c) == 0x7c ? special(bits) : number(bits, 2, 15);
      default -> throw new IllegalArgumentException(dtype + " is not an 8-bit float");
    };
  }

  /**
   * Returns the step that converts elements to float32: numbers exactly, and NaNs to the quiet NaN
   * with the same sign and no payload, as in ml_dtypes 0.6.
   */
  static LaneBuffer.Step toSingle(DType dtype) {
    int[] singles = new int[256];
    for (int bits = 0; bits < singles.length; bits++) {
      float value = of(dtype, (byte) bits);
      boolean isNegative = bits >= 0x80 && dtype != DType.F8_E8M0;
      singles[bits] = Float.floatToIntBits(value) | (value != value && isNegative ? 0x80000000 : 0);
    }
    return (lanes, count, counter) -> {
      for (int i = 0; i < count; i++) {
        lanes.ints[i] = singles[lanes.bytes[i] & 0xff];
      }
    };
  }

  private static float special(int bits) {
    float sign = bits < 0x80 ? 1 : -1;
    return (bits & 3) == 0 ? sign * Float.POSITIVE_INFINITY : Float.NaN;
  }

  private static float number(int bits, int fractionBits, int bias) {
    int fraction = bits & (1 << fractionBits) - 1;
    int exponent = (bits & 0x7f) >> fractionBits;
    int significand = exponent == 0 ? fraction : fraction | 1 << fractionBits;
    float magnitude = Math.scalb((float) significand, Math.max(1, exponent) - bias - fractionBits);
    return bits < 0x80 ? magnitude : -magnitude;
  }
}
