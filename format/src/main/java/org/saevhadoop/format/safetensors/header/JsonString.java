package org.saevhadoop.format.safetensors.header;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.json.JsonEscapes;

/**
 * Reader of a JSON string in a header. It resolves escapes and returns the text in UTF-8, byte by
 * byte, without making a copy. The string is known to be valid.
 */
public final class JsonString {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final byte[] json;
  private int at;

  /**
   * The remaining bytes of the last escaped character, with the next one in the low-order byte; no
   * byte is 0.
   */
  private int pending;

  /**
   * @param at the position of the opening quote
   */
  JsonString(byte[] json, int at) {
    this.json = json;
    this.at = at + 1;
  }

  /** Returns text as a JSON string, for {@link #equal}. */
  public static byte[] quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    JsonEscapes.UTF8.quote(text, quoted);
    return quoted.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns whether two strings, given by the positions of their opening quotes, are equal. */
  static boolean equal(byte[] a, int atA, byte[] b, int atB) {
    int i = 1;
    for (; a[atA + i] == b[atB + i] && a[atA + i] != '\\'; i++) {
      if (a[atA + i] == '"') {
        return true;
      }
    }
    if (a[atA + i] != '\\' && b[atB + i] != '\\') {
      return false;
    }
    return equal(new JsonString(a, atA + i - 1), new JsonString(b, atB + i - 1));
  }

  /**
   * Returns whether a string is less than another in UTF-8 order, or false if escapes before the
   * first difference make that unclear.
   */
  static boolean ascend(byte[] json, int a, int b) {
    int i = 1;
    while (json[a + i] == json[b + i] && json[a + i] != '"' && json[a + i] != '\\') {
      i++;
    }
    boolean ends = json[a + i] == '"' || json[b + i] == '"';
    return json[a + i] != '\\'
        && json[b + i] != '\\'
        && (ends ? json[b + i] != '"' : Byte.compareUnsigned(json[a + i], json[b + i]) < 0);
  }

  private static boolean equal(JsonString a, JsonString b) {
    int next = a.next();
    while (next == b.next()) {
      if (next < 0) {
        return true;
      }
      next = a.next();
    }
    return false;
  }

  /** Returns the string whose opening quote is at {@code at}. */
  static String decode(byte[] json, int at) {
    return decode(json, at, NO_LIMIT);
  }

  /** Returns the part of the string that an error message shows. */
  static String start(byte[] json, int at) {
    return decode(json, at, JsonText.SHOWN * 4);
  }

  private static String decode(byte[] json, int at, int most) {
    int end = at + 1;
    while (json[end] != '"' && json[end] != '\\' && end - at <= most) {
      end++;
    }
    if (json[end] != '\\') {
      return new String(json, at + 1, end - at - 1, StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
    JsonString text = new JsonString(json, at);
    for (int next = text.next(); next >= 0 && utf8.size() < most; next = text.next()) {
      utf8.write(next);
    }
    return utf8.toString(StandardCharsets.UTF_8);
  }

  /** Returns the next byte, from 0 to 255, or -1 at the end. */
  int next() {
    if (pending != 0) {
      int next = pending & 0xff;
      pending >>>= Byte.SIZE;
      return next;
    }
    byte next = json[at];
    if (next == '"') {
      return -1;
    }
    at++;
    return next == '\\' ? escaped() : next & 0xff;
  }

  private int escaped() {
    byte c = json[at++];
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> utf8(codePoint());
      default -> c;
    };
  }

  private int codePoint() {
    char unit = hex();
    if (!Character.isHighSurrogate(unit)) {
      return unit;
    }
    at += 2;
    return Character.toCodePoint(unit, hex());
  }

  private char hex() {
    int value = 0;
    for (int end = at + 4; at < end; at++) {
      value = value << 4 | Character.digit(json[at], 16);
    }
    return (char) value;
  }

  private int utf8(int c) {
    if (c < 0x80) {
      return c;
    }
    int last = 0x80 | c & 0x3f;
    if (c < 0x800) {
      pending = last;
      return 0xc0 | c >> 6;
    }
    int third = 0x80 | c >> 6 & 0x3f;
    if (c < 0x10000) {
      pending = last << 8 | third;
      return 0xe0 | c >> 12;
    }
    pending = last << 16 | third << 8 | 0x80 | c >> 12 & 0x3f;
    return 0xf0 | c >> 18;
  }
}
