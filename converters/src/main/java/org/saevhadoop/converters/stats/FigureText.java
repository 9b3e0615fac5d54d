package org.saevhadoop.converters.stats;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Figures as text for readers; the text is the same in the terminal and in the report. */
final class FigureText {
  /** The text of a value that does not exist. */
  private static final String NONE = "-";

  /**
   * The number of digits before the point, or of zeros after it, from which a value is written with
   * an exponent.
   */
  private static final int MAX_DIGITS = 7;

  private static final int MAX_ZEROS = 4;

  private FigureText() {}

  /** Returns a count with thousands separators. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns a count and a noun, in the plural unless the count is 1. */
  static String count(long count, String singular) {
    return count(count) + " " + singular + (count == 1 ? "" : "s");
  }

  /** Returns a value with five significant digits. */
  static String value(double value) {
    return value(value, 5);
  }

  /**
   * Returns a value with the given number of significant digits; {@link #NONE} if it is not finite.
   */
  static String value(double value, int digits) {
    return value(value, digits, MAX_DIGITS);
  }

  /**
   * Returns a value with the given number of significant digits; {@link #NONE} if it is not finite.
   *
   * @param maxDigits the maximum number of digits before the point of a value without an exponent
   */
  static String value(double value, int digits, int maxDigits) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_UP));
    BigDecimal shown = rounded.stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= maxDigits || exponent < -MAX_ZEROS) {
      return shown.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }
    return shown.toPlainString();
  }

  /** Returns the first few indexes, followed by dots if there are more. */
  static String first(int[] indexes, int max) {
    return Arrays.stream(indexes)
            .limit(max)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "))
        + (indexes.length > max ? ", ..." : "");
  }
}
