package org.saevhadoop.format.tensor;

/**
 * Steps on the array of longs that produce integers: the value is in the low-order bits of the
 * long, in as many bits as the type has. U64 values beyond the signed range are always represented
 * by the negative long with the same bits.
 */
final class ToInteger {
  private final DType to;
  private final RangePolicy range;
  private final boolean asSpark;
  private final long min;
  private final long max;
  private final double limit;

  /** Bounds within which the result of a cast to long is certainly in the range of the type. */
  private final long surelyMin;

  private final long surelyMax;

  ToInteger(DType to, RoundingPolicy rounding, RangePolicy range) {
    NumberType numbers = NumberType.of(to);
    this.to = to;
    this.range = range;
    this.asSpark = rounding == RoundingPolicy.TRUNCATE;
    this.min = numbers.min();
    this.max = numbers.max();
    boolean signedRange = asSpark && range == RangePolicy.WRAP && to == DType.U64;
    this.limit = Math.scalb(1.0, signedRange ? 63 : numbers.precision());
    this.surelyMin = Math.max(min, Long.MIN_VALUE + 1);
    this.surelyMax = to.bits() == 64 ? Long.MAX_VALUE - 1 : max;
  }

  void fromDouble(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    int rounded = 0;
    for (int i = 0; i < count; i++) {
      double value = Double.longBitsToDouble(values[i]);
      long whole = (long) value;
      if (whole >= surelyMin && whole <= surelyMax && value == value) {
        rounded += whole != value ? 1 : 0;
        values[i] = whole;
      } else {
        values[i] = unusual(value, i, counter);
      }
    }
    counter.rounded += rounded;
  }

  /** Converts a value at the limits of the 64-bit range or out of range. */
  private long unusual(double value, int lane, ChangeCounter counter) {
    double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
    if (whole >= min && whole < limit) {
      counter.rounded += whole != value ? 1 : 0;
      return modulo(whole);
    }
    return outside(value, lane, counter);
  }

  void fromSigned(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    long top = to == DType.U64 ? Long.MAX_VALUE : max;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      if (value < min || value > top) {
        values[i] = outside(value, value < 0, Long.toString(value), i, counter);
      }
    }
  }

  void fromUnsigned(LaneBuffer lanes, int count, ChangeCounter counter) {
    long[] values = lanes.longs;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      if (Long.compareUnsigned(value, max) > 0) {
        values[i] = outside(value, false, Long.toUnsignedString(value), i, counter);
      }
    }
  }

  private long outside(long value, boolean below, String text, int lane, ChangeCounter counter) {
    if (range == RangePolicy.ERROR) {
      throw new OutOfRangeException(counter.base + lane, text, to);
    }
    counter.outOfRange++;
    if (range == RangePolicy.WRAP) {
      return value;
    }
    return below ? min : max;
  }

  private long outside(double value, int lane, ChangeCounter counter) {
    if (range == RangePolicy.ERROR) {
      throw new OutOfRangeException(counter.base + lane, Double.toString(value), to);
    }
    if (value != value) {
      counter.nan++;
      return 0;
    }
    counter.outOfRange++;
    if (range == RangePolicy.SATURATE) {
      return value < 0 ? min : max;
    }
    return asSpark ? saturated(value) : modulo(value);
  }

  private long saturated(double value) {
    boolean wide = to.bits() == 64 || to == DType.U32;
    return wide ? (long) value : (int) value;
  }

  /** Returns the integer part modulo 2^64. */
  private static long modulo(double value) {
    int exponent = Math.getExponent(value);
    if (exponent < 63 || exponent > Double.MAX_EXPONENT) {
      return exponent < 63 ? (long) value : 0;
    }
    long significand = Double.doubleToRawLongBits(value) & 0xfffffffffffffL | 1L << 52;
    int shift = exponent - 52;
    long magnitude = shift < Long.SIZE ? significand << shift : 0;
    return value < 0 ? -magnitude : magnitude;
  }
}
