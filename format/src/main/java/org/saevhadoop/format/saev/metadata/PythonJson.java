package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;

/**
 * JSON exactly as CPython's {@code json} module reads and writes it, and as orjson writes it: the
 * hash of a dataset is the hash of what these would dump, so every byte counts.
 *
 * <p>A value is a {@code LinkedHashMap<String, Object>}, an {@code ArrayList<Object>}, a {@code
 * String}, a {@link JsonNumber}, a {@code Boolean} or null. A string may hold unpaired surrogates:
 * Python keeps them (a path with undecodable bytes has them), and the escapes of a high and a low
 * one side by side are one character.
 */
public final class PythonJson {
  /** Deeper documents are refused; Python itself gives up at about 1000 levels. */
  static final int MAX_DEPTH = 500;

  private static final int ONE_LINE = -1;

  /** Which keys are sorted, always by code point. */
  enum Sort {
    NONE,
    ALL,
    /** Those of nested objects: {@code OPT_SORT_KEYS} leaves the attributes of a dataclass. */
    NESTED
  }

  /** Whose text is written. */
  enum Dialect {
    /** {@code json.dumps} with {@code ensure_ascii=True}. */
    PYTHON,
    /** As Python, but numbers are spelled as in the file that they were read from. */
    PYTHON_VERBATIM,
    /**
     * As {@link #PYTHON_VERBATIM}, but what is not finite is a string, as JSON has no word for it.
     */
    STRICT,
    /** {@code orjson.dumps}: raw UTF-8, its own floats, null for what is not finite. */
    ORJSON,
    /** As orjson, but numbers are spelled as in the file, if they are JSON. */
    ORJSON_VERBATIM;

    boolean isAscii() {
      return this != ORJSON && this != ORJSON_VERBATIM;
    }
  }

  /**
   * How to write.
   *
   * @param indent the spaces per level, or negative for everything on one line
   */
  public record Style(
      Sort sort, String itemSeparator, String keySeparator, int indent, Dialect dialect) {
    /** {@code json.dumps(x, sort_keys=True)}. */
    static final Style DEFAULT_SORTED = new Style(Sort.ALL, ", ", ": ", ONE_LINE, Dialect.PYTHON);

    /** {@code json.dumps(x, sort_keys=True, separators=(",", ":"))}. */
    static final Style COMPACT_SORTED = new Style(Sort.ALL, ",", ":", ONE_LINE, Dialect.PYTHON);

    /** {@code json.dumps(x, separators=(",", ":"))}. */
    static final Style COMPACT = new Style(Sort.NONE, ",", ":", ONE_LINE, Dialect.PYTHON);

    /** {@code orjson.dumps(x, option=OPT_SORT_KEYS)} of a dataclass. */
    static final Style ORJSON_DATACLASS =
        new Style(Sort.NESTED, ",", ":", ONE_LINE, Dialect.ORJSON);

    /** On one line, ASCII, nothing sorted, numbers as they were spelled: for carrying a value. */
    static final Style VERBATIM = new Style(Sort.NONE, ",", ":", ONE_LINE, Dialect.PYTHON_VERBATIM);

    /** On one line, for any reader of JSON. */
    static final Style STRICT = new Style(Sort.NONE, ",", ":", ONE_LINE, Dialect.STRICT);

    /** {@code json.dump(x, indent=4)}, numbers as they were spelled. */
    public static final Style PYTHON_FILE =
        new Style(Sort.NONE, ",", ": ", 4, Dialect.PYTHON_VERBATIM);

    /** {@code orjson.dumps(x, option=OPT_INDENT_2)}, numbers as they were spelled. */
    public static final Style ORJSON_FILE =
        new Style(Sort.NONE, ",", ": ", 2, Dialect.ORJSON_VERBATIM);

    /** {@code json.dumps(x, indent=spaces)}. */
    public static Style indented(int spaces) {
      return new Style(Sort.NONE, ",", ": ", spaces, Dialect.PYTHON);
    }
  }

  private PythonJson() {}

  /**
   * Reads a document as {@code json.load} reads a file opened as UTF-8. Of a key that is there
   * twice the last value wins at the first one's place, as in a Python dict.
   *
   * @param path the file's name, for messages
   */
  public static Object parse(String path, byte[] utf8) throws FormatException {
    return PythonJsonParser.parse(path, utf8);
  }

  /**
   * As {@link #parse}, the numbers spelled as Python would write them: of a text of no writer's.
   */
  static Object parseAnew(String path, byte[] utf8) throws FormatException {
    String canonical = dumps(parse(path, utf8), Style.COMPACT);
    return parse(path, canonical.getBytes(StandardCharsets.US_ASCII));
  }

  /** Writes a value, without a final newline; in Python's dialect the text is ASCII. */
  public static String dumps(Object value, Style style) {
    return PythonJsonWriter.write(value, style);
  }

  /** Whether a text can be written as UTF-8: it has no lone surrogate. */
  static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** Lists and objects inside one another, the value itself included. */
  static int depth(Object value) {
    int deepest = 0;
    if (value instanceof Map || value instanceof List) {
      Collection<?> items = value instanceof Map<?, ?> map ? map.values() : (List<?>) value;
      for (Object item : items) {
        deepest = Math.max(deepest, depth(item));
      }
      deepest++;
    }
    return deepest;
  }
}
