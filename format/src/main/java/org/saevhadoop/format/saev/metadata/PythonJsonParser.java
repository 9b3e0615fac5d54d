package org.saevhadoop.format.saev.metadata;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.saevhadoop.format.io.FormatException;

/** The grammar of CPython's json/decoder.py and json/scanner.py, with {@code strict=True}. */
final class PythonJsonParser {
  private static final int END = -1;
  private static final int HEX_DIGITS = 4;
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String path;
  private final String text;
  private final Matcher number;
  private int at;

  private PythonJsonParser(String path, String text) {
    this.path = path;
    this.text = text;
    this.number = JsonNumber.TOKEN.matcher(text);
  }

  static Object parse(String path, byte[] utf8) throws FormatException {
    PythonJsonParser parser = new PythonJsonParser(path, decode(path, utf8));
    Object value = parser.value(0);
    parser.skipSpace();
    if (parser.peek() != END) {
      throw parser.expected("the end of the document");
    }
    return value;
  }

  private static String decode(String path, byte[] utf8) throws FormatException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer out = CharBuffer.allocate(utf8.length);
    SaevError.BAD_JSON.check(
        !decoder.decode(in, out, true).isError(),
        path,
        "not JSON: not UTF-8, at byte %d (expected UTF-8)",
        in.position());
    return out.flip().toString();
  }

  private Object value(int depth) throws FormatException {
    skipSpace();
    return switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) throws FormatException {
    open(depth);
    Map<String, Object> members = new LinkedHashMap<>();
    if (take('}')) {
      return members;
    }
    do {
      skipSpace();
      if (peek() != '"') {
        throw expected("a key in double quotes");
      }
      String key = string();
      if (!take(':')) {
        throw expected("':'");
      }
      members.put(key, value(depth));
    } while (take(','));
    if (!take('}')) {
      throw expected("',' or '}'");
    }
    return members;
  }

  private List<Object> array(int depth) throws FormatException {
    open(depth);
    List<Object> items = new ArrayList<>();
    if (take(']')) {
      return items;
    }
    do {
      items.add(value(depth));
    } while (take(','));
    if (!take(']')) {
      throw expected("',' or ']'");
    }
    return items;
  }

  private void open(int depth) throws FormatException {
    if (depth > PythonJson.MAX_DEPTH) {
      throw wrong("nested too deep", "at most " + PythonJson.MAX_DEPTH + " levels");
    }
    at++;
  }

  private Object word(String word, Boolean value) throws FormatException {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
    }
    at += word.length();
    return value;
  }

  private JsonNumber number() throws FormatException {
    if (!number.region(at, text.length()).lookingAt()) {
      throw expected("a value");
    }
    at = number.end();
    return new JsonNumber(number.group());
  }

  private String string() throws FormatException {
    at++;
    int start = at;
    skipPlain();
    if (peek() == '"') {
      return text.substring(start, at++);
    }
    StringBuilder out = new StringBuilder().append(text, start, at);
    while (peek() == '\\') {
      at++;
      out.append(escape());
      start = at;
      skipPlain();
      out.append(text, start, at);
    }
    if (peek() != '"') {
      throw expected("a closing quote; control characters only as escapes");
    }
    at++;
    return out.toString();
  }

  /** Stops at a quote, a backslash, a control character and the end. */
  private void skipPlain() {
    while (peek() >= ' ' && peek() != '"' && peek() != '\\') {
      at++;
    }
  }

  /** Two escapes that make a surrogate pair need no joining: in a Java string they are one. */
  private char escape() throws FormatException {
    int known = ESCAPES.indexOf(peek());
    if (known >= 0) {
      at++;
      return ESCAPED.charAt(known);
    }
    if (peek() != 'u') {
      throw expected("one of \" \\ / b f n r t u after a backslash");
    }
    at++;
    int code = 0;
    for (int i = 0; i < HEX_DIGITS; i++) {
      if (!HexFormat.isHexDigit(peek())) {
        throw expected("four hexadecimal digits after \\u");
      }
      code = code << 4 | HexFormat.fromHexDigit(peek());
      at++;
    }
    return (char) code;
  }

  private int peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  /** Moves behind {@code wanted} if it is what comes after any white space. */
  private boolean take(char wanted) {
    skipSpace();
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  private FormatException expected(String expected) {
    return wrong(found(), expected);
  }

  private String found() {
    if (at == text.length()) {
      return "the document ends";
    }
    int codePoint = text.codePointAt(at);
    boolean printable = codePoint > ' ' && codePoint < 0x7f;
    return String.format(printable ? "found '%c'" : "found U+%04X", codePoint);
  }

  private FormatException wrong(String what, String expected) {
    int offset = text.substring(0, at).getBytes(StandardCharsets.UTF_8).length;
    return SaevError.BAD_JSON.in(
        path, "not JSON: %s, at byte %d (expected %s)", what, offset, expected);
  }
}
