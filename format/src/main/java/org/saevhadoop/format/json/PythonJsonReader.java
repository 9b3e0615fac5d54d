package org.saevhadoop.format.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/** The grammar of CPython's json/decoder.py and json/scanner.py, with {@code strict=True}. */
final class PythonJsonReader extends JsonTextScanner {
  private static final int DECODED_AT_ONCE = 8192;

  private final String path;

  private PythonJsonReader(String path, String text) {
    super(text, false);
    this.path = path;
  }

  static @Nullable Object read(String path, byte[] utf8) throws FormatException {
    PythonJsonReader reader = new PythonJsonReader(path, decode(path, utf8));
    @Nullable Object value = reader.value(0);
    if (reader.peek() != END) {
      throw reader.expected("the end of the document");
    }
    return value;
  }

  /** Reads a list, whose items are passed to the sink one by one. */
  static void readItems(String path, byte[] utf8, PythonJson.ItemSink sink) throws FormatException {
    PythonJsonReader reader = new PythonJsonReader(path, decode(path, utf8));
    reader.items(1, sink);
    if (reader.peek() != END) {
      throw reader.expected("the end of the document");
    }
  }

  /**
   * Checks the encoding in pieces, because a buffer of characters would be twice as large as the
   * text.
   */
  private static String decode(String path, byte[] utf8) throws FormatException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer dropped = CharBuffer.allocate(DECODED_AT_ONCE);
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow()) {
      result = decoder.decode(in, dropped.clear(), true);
    }
    JsonError.BAD_JSON.check(
        !result.isError(), path, "not JSON: not UTF-8, at byte %d (expected UTF-8)", in.position());
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private @Nullable Object value(int depth) throws FormatException {
    return switch (peek()) {
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case '"' -> string();
      case 't' -> word("true", Boolean.TRUE);
      case 'f' -> word("false", Boolean.FALSE);
      case 'n' -> word("null", null);
      case 'N', 'I', '-' -> notFiniteOrNumber();
      default -> number();
    };
  }

  private JsonNumber notFiniteOrNumber() throws FormatException {
    for (String word : JsonNumber.NOT_FINITE) {
      if (takeWord(word)) {
        return new JsonNumber(word);
      }
    }
    return number();
  }

  private Map<String, Object> object(int depth) throws FormatException {
    open('{', depth);
    Map<String, Object> members = new LinkedHashMap<>();
    if (takeIf('}')) {
      return members;
    }
    do {
      if (peek() != '"') {
        throw expected("a key in double quotes");
      }
      String key = string();
      take(':');
      members.put(key, value(depth));
    } while (takeIf(','));
    if (!takeIf('}')) {
      throw expected("',' or '}'");
    }
    return members;
  }

  private List<Object> array(int depth) throws FormatException {
    List<Object> items = new ArrayList<>();
    items(depth, items::add);
    return items;
  }

  private void items(int depth, PythonJson.ItemSink sink) throws FormatException {
    open('[', depth);
    if (takeIf(']')) {
      return;
    }
    do {
      sink.accept(value(depth));
    } while (takeIf(','));
    if (!takeIf(']')) {
      throw expected("',' or ']'");
    }
  }

  private void open(char bracket, int depth) throws FormatException {
    if (depth > PythonJson.MAX_DEPTH) {
      throw wrong(position(), "nested too deeply", "at most " + PythonJson.MAX_DEPTH + " levels");
    }
    take(bracket);
  }

  @Override
  protected FormatException error(int at, String expected) {
    if (at == text().length()) {
      return wrong(at, "the document ends", expected);
    }
    int codePoint = text().codePointAt(at);
    boolean printable = codePoint > ' ' && codePoint < 0x7f;
    return wrong(at, String.format(printable ? "found '%c'" : "found U+%04X", codePoint), expected);
  }

  private FormatException wrong(int at, String what, String expected) {
    int offset = text().substring(0, at).getBytes(StandardCharsets.UTF_8).length;
    return JsonError.BAD_JSON.in(
        path, "not JSON: %s, at byte %d (expected %s)", what, offset, expected);
  }
}
