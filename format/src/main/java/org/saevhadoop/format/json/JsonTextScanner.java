package org.saevhadoop.format.json;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * The tokens of a JSON text (RFC 8259, sections 2, 6 and 7), for readers that build their own
 * values and report their own errors. As in Python, a string may hold lone surrogates, escaped or
 * not; the escapes of a surrogate pair represent one character.
 */
public abstract class JsonTextScanner {
  /** Result of {@link #peek} at the end of the text. */
  protected static final int END = -1;

  private static final int HEX_DIGITS = 4;
  private static final String NAMES = "\"\\/bfnrt";
  private static final String NAMED = "\"\\/\b\f\n\r\t";

  private final String text;
  private final boolean isLine;
  private int position;

  /**
   * Creates a scanner at the beginning of a text.
   *
   * @param isLine whether the text is one of many lines, so that line ends are not whitespace
   */
  protected JsonTextScanner(String text, boolean isLine) {
    this.text = text;
    this.isLine = isLine;
  }

  /**
   * Returns the error for text that does not continue as required.
   *
   * @param at the index of the wrong character, or the length of the text
   * @param expected the expected continuation in words, such as {@code a value}
   */
  protected abstract FormatException error(int at, String expected);

  /**
   * Returns the error for an invalid escape; {@link #position} is at the wrong character.
   *
   * @param start the index after the backslash
   */
  protected FormatException badEscape(int start) {
    return expected(
        position == start
            ? "one of \" \\ / b f n r t u after a backslash"
            : "four hexadecimal digits after \\u");
  }

  /** Returns the error for the text at {@link #position}. */
  protected final FormatException expected(String expected) {
    return error(position, expected);
  }

  protected final String text() {
    return text;
  }

  /**
   * Returns the index of the next character; after a call of {@link #peek}, this character is not
   * whitespace.
   */
  protected final int position() {
    return position;
  }

  /** Skips whitespace; returns the next character or {@link #END}. */
  protected final int peek() {
    while (isBlank(current())) {
      position++;
    }
    return current();
  }

  private boolean isBlank(int c) {
    return c == ' ' || c == '\t' || !isLine && (c == '\n' || c == '\r');
  }

  private int current() {
    return position < text.length() ? text.charAt(position) : END;
  }

  /** Consumes a character if it is the next one after any whitespace. */
  protected final boolean takeIf(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    position++;
    return true;
  }

  /** Consumes a character, which must be the next one after any whitespace. */
  protected final void take(char wanted) throws FormatException {
    if (!takeIf(wanted)) {
      throw expected("'" + wanted + "'");
    }
  }

  /** Consumes a word if it comes next. */
  protected final boolean takeWord(String word) {
    if (!text.startsWith(word, position)) {
      return false;
    }
    position += word.length();
    return true;
  }

  /** Consumes a word, which must come next, and returns its value. */
  protected final @Nullable Object word(String word, @Nullable Object value)
      throws FormatException {
    if (!takeWord(word)) {
      throw expected("a value");
    }
    return value;
  }

  /** Consumes a finite number, which must come next. */
  protected final JsonNumber number() throws FormatException {
    int end = JsonNumber.end(text, position);
    if (end < 0) {
      throw expected("a value");
    }
    JsonNumber number = new JsonNumber(text.substring(position, end));
    position = end;
    return number;
  }

  /** Consumes a string, which must come next, and returns its characters. */
  protected final String string() throws FormatException {
    take('"');
    int start = position;
    skipPlain();
    if (current() == '"') {
      return text.substring(start, position++);
    }
    StringBuilder out = new StringBuilder().append(text, start, position);
    while (current() == '\\') {
      position++;
      out.append(escape());
      start = position;
      skipPlain();
      out.append(text, start, position);
    }
    if (current() != '"') {
      throw expected("a closing quote; control characters only as escapes");
    }
    position++;
    return out.toString();
  }

  /** Skips to the next quote, backslash or control character, or to the end. */
  private void skipPlain() {
    int at = position;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' || c == '\\' || c < ' ') {
        break;
      }
      at++;
    }
    position = at;
  }

  private char escape() throws FormatException {
    int start = position;
    int name = NAMES.indexOf(current());
    if (name >= 0) {
      position++;
      return NAMED.charAt(name);
    }
    if (current() != 'u') {
      throw badEscape(start);
    }
    position++;
    int code = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      if (!HexFormat.isHexDigit(current())) {
        throw badEscape(start);
      }
      code = code << 4 | HexFormat.fromHexDigit(current());
      position++;
    }
    return (char) code;
  }
}
