package org.saevhadoop.format.tensor;

import java.math.BigDecimal;

/**
 * What the bits of a binary float say, by IEEE 754's definition and in exact arithmetic: slow, and
 * without any of the code that it checks.
 */
record FloatFormat(int fractionBits, int exponentBits) {
  static FloatFormat of(DType type) {
    return switch (type) {
      case F16 -> new FloatFormat(10, 5);
      case BF16 -> new FloatFormat(7, 8);
      case F32 -> new FloatFormat(23, 8);
      case F64 -> new FloatFormat(52, 11);
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  int bits() {
    return 1 + exponentBits + fractionBits;
  }

  long sign(long bits) {
    return bits >>> (bits() - 1) & 1;
  }

  long magnitude(long bits) {
    return bits & (1L << (bits() - 1)) - 1;
  }

  long infinity() {
    return ((1L << exponentBits) - 1) << fractionBits;
  }

  boolean isNan(long bits) {
    return magnitude(bits) > infinity();
  }

  boolean isInfinite(long bits) {
    return magnitude(bits) == infinity();
  }

  /** The number; of an infinity, the number that would follow the largest. */
  BigDecimal value(long bits) {
    long exponent = magnitude(bits) >>> fractionBits;
    long fraction = bits & (1L << fractionBits) - 1;
    long significand = exponent == 0 ? fraction : fraction | 1L << fractionBits;
    int bias = (1 << (exponentBits - 1)) - 1;
    int power = (int) Math.max(1, exponent) - bias - fractionBits;
    // exact: the scale of a power of two, of at most 53 bits, in the range of a double
    BigDecimal number = new BigDecimal(Math.scalb((double) significand, power));
    return sign(bits) == 0 ? number : number.negate();
  }

  /** Whether no other number is nearer to {@code exact}, and none as near has an even last bit. */
  boolean isNearest(long bits, BigDecimal exact) {
    BigDecimal distance = value(bits).subtract(exact).abs();
    for (int step = -1; step <= 1; step += 2) {
      long neighbour = bits + step;
      if (magnitude(bits) == 0 && step < 0
          || magnitude(bits) == infinity() && step > 0
          || sign(neighbour) != sign(bits)) {
        continue;
      }
      int compared = distance.compareTo(value(neighbour).subtract(exact).abs());
      if (compared > 0 || compared == 0 && (bits & 1) == 1) {
        return false;
      }
    }
    return true;
  }

  /** The largest number of this format that is not beyond {@code bits} of a finer one. */
  static long towardsZero(long bits, FloatFormat from, FloatFormat to) {
    BigDecimal exact = from.value(from.magnitude(bits));
    long low = 0;
    long high = to.infinity();
    while (low < high) {
      long middle = low + high + 1 >>> 1;
      if (to.value(middle).compareTo(exact) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
