package org.saevhadoop.format.tensor;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The text of a float as written by Python's json and by orjson: the shortest decimal that reads
 * back as the same double; if there are several, the closest one; if two are equally close, the one
 * with an even last digit (mode 0 of Python/dtoa.c; the ryu algorithm of orjson chooses the same
 * digits). Before JDK 19, the result of Java's {@code Double.toString} is not always the shortest.
 */
public final class FloatText {
  /** Smallest normal significand; the bits of a subnormal double are its significand. */
  private static final long NORMAL = 1L << 52;

  /** Maximum decimal exponent of the first digit for which both writers omit the exponent. */
  private static final int MAX_FIXED_EXPONENT = 15;

  private static final int PYTHON_MIN_FIXED_EXPONENT = -4;
  private static final int ORJSON_MIN_FIXED_EXPONENT = -5;

  private FloatText() {}

  /**
   * Returns the result of Python's {@code float.__repr__} for a finite value: {@code 1e-05}, {@code
   * 1e+16}, {@code 3.0}.
   */
  public static String python(double value) {
    return text(value, true);
  }

  /**
   * Returns the text that orjson writes for a finite value: {@code 0.00001}, {@code 1.5e-7}, {@code
   * 1e16}.
   */
  public static String orjson(double value) {
    return text(value, false);
  }

  private static String text(double value, boolean python) {
    String sign = Math.copySign(1.0, value) < 0 ? "-" : "";
    double magnitude = Math.abs(value);
    return sign + (magnitude == 0 ? "0.0" : layOut(shortest(magnitude), python));
  }

  private static BigDecimal shortest(double magnitude) {
    BigDecimal exact = new BigDecimal(magnitude);
    // Decimals with this many digits are further apart than doubles, so any shorter text that reads
    // back is the same number without its trailing zeros.
    long significand = Math.min(Double.doubleToRawLongBits(magnitude), NORMAL);
    int digits = Math.max(1, Long.toString(significand).length() - 1);
    BigDecimal found = roundTrip(exact, magnitude, digits);
    while (found == null) {
      digits++;
      found = roundTrip(exact, magnitude, digits);
    }
    return found.stripTrailingZeros();
  }

  /**
   * Returns the closest decimal with {@code digits} digits that reads back as the double, or null.
   */
  private static @Nullable BigDecimal roundTrip(BigDecimal exact, double magnitude, int digits) {
    BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
    if (nearest.doubleValue() == magnitude) {
      return nearest;
    }
    // The gap above a power of two is twice the gap below, so the more distant neighbor may be
    // right.
    RoundingMode away = nearest.compareTo(exact) < 0 ? RoundingMode.UP : RoundingMode.DOWN;
    BigDecimal other = exact.round(new MathContext(digits, away));
    return other.doubleValue() == magnitude ? other : null;
  }

  private static String layOut(BigDecimal number, boolean python) {
    int exponent = number.precision() - number.scale() - 1;
    int least = python ? PYTHON_MIN_FIXED_EXPONENT : ORJSON_MIN_FIXED_EXPONENT;
    if (exponent >= least && exponent <= MAX_FIXED_EXPONENT) {
      String plain = number.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    String digits = number.unscaledValue().toString();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    String form = python ? "%c%se%+03d" : "%c%se%d";
    return form.formatted(digits.charAt(0), fraction, exponent);
  }
}
