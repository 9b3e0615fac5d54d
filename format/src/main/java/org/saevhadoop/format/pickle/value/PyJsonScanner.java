package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;

/** The tokens of a line of JSON; escapes may be lone surrogates. */
class PyJsonScanner {
  /** Decimal digits of an integer: more are written as hexadecimal ones. */
  static final int MOST_DIGITS = 10_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)((?:\\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)");

  private static final int HEX_DIGITS = 4;
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String path;
  private final String text;
  private final Matcher number;
  private int at;

  PyJsonScanner(String path, String text) {
    this.path = path;
    this.text = text;
    this.number = NUMBER.matcher(text);
  }

  /** The next character's place. */
  int at() {
    return at;
  }

  void takeEnd() throws FormatException {
    peek();
    if (at < text.length()) {
      throw expected("the end of the line");
    }
  }

  Object word(String word, Boolean value) throws FormatException {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
    }
    at += word.length();
    return value;
  }

  Object number() throws FormatException {
    if (!number.region(at, text.length()).lookingAt()) {
      throw expected("a value");
    }
    int start = at;
    at = number.end();
    String digits = number.group();
    if (number.end(1) > number.start(1)) {
      double value = Double.parseDouble(digits);
      if (Double.isInfinite(value)) {
        throw wrong(start, "a float that is finite");
      }
      return value;
    }
    if (digits.length() > MOST_DIGITS) {
      throw wrong(start, "an integer of at most " + MOST_DIGITS + " digits");
    }
    return PyNumbers.integer(new BigInteger(digits));
  }

  String string() throws FormatException {
    take('"');
    int start = at;
    skipPlain();
    if (current() == '"') {
      return text.substring(start, at++);
    }
    StringBuilder out = new StringBuilder().append(text, start, at);
    while (current() == '\\') {
      at++;
      out.append(escape());
      start = at;
      skipPlain();
      out.append(text, start, at);
    }
    if (current() != '"') {
      throw expected("a closing quote; control characters only as escapes");
    }
    at++;
    return out.toString();
  }

  private void skipPlain() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' || c == '\\' || c < ' ') {
        return;
      }
      at++;
    }
  }

  private char escape() throws FormatException {
    int which = ESCAPES.indexOf(current());
    if (which >= 0) {
      at++;
      return ESCAPED.charAt(which);
    }
    int end = at + 1 + HEX_DIGITS;
    if (current() != 'u' || end > text.length()) {
      throw expected("an escape");
    }
    int code = 0;
    for (int i = at + 1; i < end; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        throw expected("four hexadecimal digits");
      }
      code = code << HEX_DIGITS | HexFormat.fromHexDigit(text.charAt(i));
    }
    at = end;
    return (char) code;
  }

  /** The next character that is no space; 0 at the end. */
  char peek() {
    while (at < text.length() && (current() == ' ' || current() == '\t')) {
      at++;
    }
    return current();
  }

  private char current() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  void take(char c) throws FormatException {
    if (!takeIf(c)) {
      throw expected("'" + c + "'");
    }
  }

  boolean takeIf(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    return true;
  }

  FormatException expected(String what) {
    return wrong(at, what);
  }

  FormatException wrong(int where, String what) {
    return PickleError.BAD_METADATA.in(
        path, "not a value as JSON, at character %d (expected %s)", where, what);
  }
}
