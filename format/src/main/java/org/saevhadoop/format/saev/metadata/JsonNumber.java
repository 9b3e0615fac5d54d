package org.saevhadoop.format.saev.metadata;

import java.util.regex.Pattern;
import org.saevhadoop.format.tensor.FloatText;

/**
 * A number as its file spells it. Python holds an int of any size or a double after reading it;
 * here the text is kept, and {@link #canonical} is what Python would write again.
 */
public record JsonNumber(String text) {
  /** {@code NUMBER_RE} of CPython's json/scanner.py, and the three constants beside it. */
  static final Pattern TOKEN =
      Pattern.compile("NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

  /** No long has more characters than {@code -9223372036854775808}. */
  private static final int LONGEST_LONG = 20;

  public JsonNumber {
    if (!TOKEN.matcher(text).matches()) {
      throw new IllegalArgumentException("not a JSON number: " + text);
    }
  }

  public static JsonNumber of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  /** Whether Python reads it as an int: {@code 1.0} and {@code 1e2} are floats. */
  boolean isInteger() {
    return text.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
  }

  /**
   * @throws ArithmeticException if it is a float to Python or does not fit
   */
  public long longValueExact() {
    try {
      if (isInteger() && text.length() <= LONGEST_LONG) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // falls through: 20 characters can still be too large
    }
    throw new ArithmeticException("not a 64-bit integer: " + text);
  }

  /**
   * What {@code json.dumps(json.loads(text))} gives: ints as they are ({@code -0} is 0), floats by
   * {@code float.__repr__}, {@code 1e400} as {@code Infinity}. CPython since 3.10.7 refuses ints of
   * more than 4300 digits unless told otherwise; here they pass.
   */
  String canonical() {
    if (isInteger()) {
      return text.equals("-0") ? "0" : text;
    }
    double value = Double.parseDouble(text);
    // Java's names for the values that are not finite are those of Python's json
    return Double.isFinite(value) ? FloatText.python(value) : Double.toString(value);
  }

  /**
   * What {@code orjson.dumps} gives for the number that Python's json reads: null for what is not
   * finite. It refuses ints outside -2^63 to 2^64-1; here they pass.
   */
  String orjson() {
    if (isInteger()) {
      return canonical();
    }
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? FloatText.orjson(value) : "null";
  }

  /** Whether JSON knows it: NaN, Infinity and -Infinity are Python's own. */
  boolean isJson() {
    return !text.endsWith("N") && !text.endsWith("y");
  }
}
