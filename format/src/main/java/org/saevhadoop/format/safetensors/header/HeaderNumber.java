package org.saevhadoop.format.safetensors.header;

/**
 * A JSON number parsed digit by digit as in serde_json: an unsigned 64-bit integer, or else a
 * float, which is only checked for overflow. The arithmetic is serde_json's (without its feature
 * float_roundtrip), because rounding matters at the edge of the range.
 */
final class HeaderNumber {
  private static final int MAX_EXPONENT = 308;
  private static final long EXPONENT_CLAMP = 1L << 40;

  private long significand;
  private boolean full;
  private boolean isFloat;
  private int shift;
  private boolean down;
  private long exponent;

  void integerDigit(int digit) {
    if (!push(digit)) {
      isFloat = true;
      shift++;
    }
  }

  void point() {
    isFloat = true;
    full = false;
  }

  void fractionDigit(int digit) {
    if (push(digit)) {
      shift--;
    }
  }

  void exponent(boolean negativeExponent) {
    isFloat = true;
    down = negativeExponent;
  }

  void exponentDigit(int digit) {
    exponent = Math.min(exponent * 10 + digit, EXPONENT_CLAMP);
  }

  /** Once a digit does not fit, all later digits of the same part are dropped too. */
  private boolean push(int digit) {
    long limit = Long.divideUnsigned(-1L - digit, 10);
    full |= Long.compareUnsigned(significand, limit) > 0;
    if (!full) {
      significand = significand * 10 + digit;
    }
    return !full;
  }

  /** Returns the value if the number is not a float. */
  long significand() {
    return significand;
  }

  /** Returns whether the number is anything but an integer below 2^64, regardless of its sign. */
  boolean isFloat() {
    return isFloat;
  }

  boolean isOutOfRange() {
    long power = shift + (down ? -exponent : exponent);
    if (!isFloat || significand == 0 || power < 0) {
      return false;
    }
    return power > MAX_EXPONENT || Double.isInfinite(asDouble() * Double.parseDouble("1e" + power));
  }

  private double asDouble() {
    return significand >= 0 ? significand : ((significand >>> 1) | (significand & 1)) * 2.0;
  }
}
