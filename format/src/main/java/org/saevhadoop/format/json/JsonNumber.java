package org.saevhadoop.format.json;

import java.util.List;
import org.saevhadoop.format.tensor.FloatText;

/**
 * A number as spelled in its document. Python converts a number to an int of any size or a double
 * when reading it; this class keeps the text, and {@link #canonical} returns what Python would
 * write.
 *
 * @param text a number as defined in RFC 8259, section 6, or one of {@code NaN}, {@code Infinity}
 *     and {@code -Infinity}, which Python's json module adds
 */
public record JsonNumber(String text) {
  /** {@code _CONSTANTS} of CPython's json/decoder.py. */
  static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");

  /** No long has more characters than {@code -9223372036854775808}. */
  private static final int MAX_LONG_CHARS = 20;

  /**
   * Creates a number from its text.
   *
   * @throws IllegalArgumentException if the text is not a number
   */
  public JsonNumber {
    if (end(text, 0) != text.length() && !NOT_FINITE.contains(text)) {
      throw new IllegalArgumentException("not a JSON number: " + text);
    }
  }

  public static JsonNumber of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  /** Returns the end of the longest finite number at {@code from}; -1 if there is none. */
  static int end(String text, int from) {
    int start = text.startsWith("-", from) ? from + 1 : from;
    int end = text.startsWith("0", start) ? start + 1 : digits(text, start, -1);
    if (end >= 0 && text.startsWith(".", end)) {
      end = digits(text, end + 1, end);
    }
    if (end >= 0 && (text.startsWith("e", end) || text.startsWith("E", end))) {
      boolean sign = text.startsWith("-", end + 1) || text.startsWith("+", end + 1);
      end = digits(text, sign ? end + 2 : end + 1, end);
    }
    return end;
  }

  /** Returns the end of the digits that begin at {@code from}; {@code none} if there are none. */
  private static int digits(String text, int from, int none) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end == from ? none : end;
  }

  /** Returns whether Python reads the number as an int: {@code 1.0} and {@code 1e2} are floats. */
  public boolean isInteger() {
    return digits(text, text.charAt(0) == '-' ? 1 : 0, -1) == text.length();
  }

  /**
   * Returns the value of an integer.
   *
   * @throws ArithmeticException if Python reads the number as a float, or if the number does not
   *     fit into a long
   */
  public long longValueExact() {
    try {
      if (isInteger() && text.length() <= MAX_LONG_CHARS) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // falls through: 20 characters can still be too large
    }
    throw new ArithmeticException("not a 64-bit integer: " + text);
  }

  /**
   * Returns {@code json.dumps(json.loads(text))}: ints unchanged (except that -0 is 0), floats by
   * {@code float.__repr__}, {@code 1e400} as {@code Infinity}. Since 3.10.7, CPython rejects ints
   * of more than 4300 digits unless configured otherwise; this method accepts them.
   */
  public String canonical() {
    if (isInteger()) {
      return text.equals("-0") ? "0" : text;
    }
    return python(Double.parseDouble(text));
  }

  /** Returns {@code json.dumps} of a float. */
  static String python(double value) {
    // Java has the same names for values that are not finite as Python's json
    return Double.isFinite(value) ? FloatText.python(value) : Double.toString(value);
  }

  /**
   * Returns {@code orjson.dumps} of the number as Python's json reads it: null if it is not finite.
   * orjson refuses ints outside -2^63 to 2^64-1; this method accepts them.
   */
  public String orjson() {
    if (isInteger()) {
      return canonical();
    }
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? FloatText.orjson(value) : "null";
  }

  /** Returns whether RFC 8259 defines the number: Python adds NaN, Infinity and -Infinity. */
  public boolean isJson() {
    return !text.endsWith("N") && !text.endsWith("y");
  }
}
