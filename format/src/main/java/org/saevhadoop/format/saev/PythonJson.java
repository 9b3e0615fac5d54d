package org.saevhadoop.format.saev;

import org.saevhadoop.format.io.FormatException;

/**
 * JSON exactly as CPython's {@code json} module reads and writes it: the hash of a dataset is the
 * hash of what Python would dump, so every byte counts.
 *
 * <p>A value is a {@code LinkedHashMap<String, Object>}, an {@code ArrayList<Object>}, a {@code
 * String}, a {@link JsonNumber}, a {@code Boolean} or null. A string may hold unpaired surrogates:
 * Python keeps them (a path with undecodable bytes has them), and the escapes of a high and a low
 * one side by side are one character.
 */
final class PythonJson {
  /** Deeper documents are refused; Python itself gives up at about 1000 levels. */
  static final int MAX_DEPTH = 500;

  private static final int ONE_LINE = -1;

  /**
   * How {@code json.dumps} is asked to write, always with {@code ensure_ascii=True}.
   *
   * @param sortKeys by code point, at every level
   * @param indent the spaces per level, or negative for everything on one line
   */
  record Style(boolean sortKeys, String itemSeparator, String keySeparator, int indent) {
    /** {@code json.dumps(x, sort_keys=True)}. */
    static final Style DEFAULT_SORTED = new Style(true, ", ", ": ", ONE_LINE);

    /** {@code json.dumps(x, sort_keys=True, separators=(",", ":"))}. */
    static final Style COMPACT_SORTED = new Style(true, ",", ":", ONE_LINE);

    /** {@code json.dumps(x, separators=(",", ":"))}. */
    static final Style COMPACT = new Style(false, ",", ":", ONE_LINE);

    /** {@code json.dumps(x, indent=spaces)}. */
    static Style indented(int spaces) {
      return new Style(false, ",", ": ", spaces);
    }
  }

  private PythonJson() {}

  /**
   * Reads a document as {@code json.load} reads a file opened as UTF-8. Of a key that is there
   * twice the last value wins at the first one's place, as in a Python dict.
   *
   * @param path the file's name, for messages
   */
  static Object parse(String path, byte[] utf8) throws FormatException {
    return PythonJsonParser.parse(path, utf8);
  }

  /** Writes a value as {@code json.dumps} does; the text is ASCII, without a final newline. */
  static String dumps(Object value, Style style) {
    return PythonJsonWriter.write(value, style);
  }
}
