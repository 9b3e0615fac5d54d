package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * Python values as one line of JSON, without loss: None, bool, 64-bit int, finite float, str, list,
 * and dict with str keys are written as the corresponding JSON values; a float has a decimal point
 * or an exponent. Any other value is an object with one key, which begins with a dollar sign:
 *
 * <pre>
 * {"$tuple": [...]}  {"$set": [...]}  {"$frozenset": [...]}
 * {"$dict": [[key, value], ...]}  {"$ordereddict": ...}  {"$defaultdict": ...}
 * {"$str": "eda0bdedb880"}  UTF-8 of a text with halves of a character side by side
 * {"$bytes": "00ff"}  {"$bytearray": "00ff"}
 * {"$int": "9223372036854775808"} or, where it is long, {"$int": "0x1234..."}
 * {"$float": "inf"} or "-inf", "nan", "nan:7ff8000000000001"
 * {"$np": ["float32", 0.25]}  the value, or {"$bytes": ...} where it is not exact
 * {"$dtype": ">f4"}
 * {"$ndarray": {"dtype": "int64", "shape": [2, 3], "data": base64}}  in C's order
 * </pre>
 *
 * <p>{@code $dict} is also used for a dict with a str key that begins with a dollar sign. A lone
 * surrogate is escaped; other characters are unchanged. Shared objects are written each time they
 * occur.
 */
public final class PyJson {
  static final String TUPLE = "$tuple";
  static final String SET = "$set";
  static final String FROZENSET = "$frozenset";
  static final String DICT = "$dict";
  static final String ORDERED_DICT = "$ordereddict";
  static final String DEFAULT_DICT = "$defaultdict";
  static final String TEXT = "$str";
  static final String BYTES = "$bytes";
  static final String BYTEARRAY = "$bytearray";
  static final String INT = "$int";
  static final String FLOAT = "$float";
  static final String SCALAR = "$np";
  static final String TYPE = "$dtype";
  static final String ARRAY = "$ndarray";

  static final String NAN = "nan";
  static final String INFINITY = "inf";
  static final long NAN_BITS = 0x7ff8000000000000L;

  private PyJson() {}

  /**
   * Returns the line, without a line end.
   *
   * @param path the file that contains the value, for error messages
   * @param payloads the storage of long text strings and byte strings; null if there are none
   * @param maxChars the maximum length of the line
   * @throws FormatException with LIMIT_EXCEEDED if the line would be too long or is nested too
   *     deeply
   */
  public static String write(
      String path, @Nullable Object value, @Nullable PayloadStore payloads, int maxChars)
      throws IOException {
    return new PyJsonWriter(path, payloads, maxChars).line(value);
  }

  /**
   * Returns the value of a line.
   *
   * @param path the file and position of the line, for error messages
   * @throws FormatException with BAD_METADATA if the line does not have the form that {@link
   *     #write} returns
   */
  public static @Nullable Object parse(String path, String line) throws FormatException {
    return new PyJsonParser(path, line).document();
  }
}
