package org.saevhadoop.format.pickle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What {@link Data} means in Python, however it stands in the pickle. */
final class DataContent {
  private static final int UTF8_BYTES = 3;
  private static final int ESCAPED_BYTES = 6;
  private static final int ESCAPED_LONG = 10;

  private DataContent() {}

  /** The fewest bytes, or Java's chars, that it can have: to refuse it before it is read. */
  static long fewest(Data data) {
    return switch (data.form()) {
      case RAW -> data.length();
      case UTF8 -> data.length() / UTF8_BYTES;
      case RAW_UNICODE_ESCAPE -> data.length() / ESCAPED_BYTES;
    };
  }

  /** The bytes of a {@code bytes} or an array; those of the pickle may be {@code most} at most. */
  static byte[] bytes(String path, Data data, Payloads payloads, long most) throws IOException {
    byte[] stored = stored(path, data, payloads, most);
    if (data.form() == Data.Form.RAW) {
      return stored;
    }
    String text = decoded(path, data, stored);
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    boolean holds = text.chars().allMatch(c -> c <= 0xff);
    PickleError.BAD_PICKLE.check(holds, path, "bytes have a character above U+00FF");
    return bytes;
  }

  /** The text of a {@code str}. */
  static String text(String path, Data data, Payloads payloads, long most) throws IOException {
    return decoded(path, data, stored(path, data, payloads, most));
  }

  private static byte[] stored(String path, Data data, Payloads payloads, long most)
      throws IOException {
    PickleError.LIMIT_EXCEEDED.check(
        data.length() <= most,
        path,
        "%d bytes are too many for a value (expected at most %d)",
        data.length(),
        most);
    if (data.inline() != null) {
      return data.inline();
    }
    byte[] stored = new byte[(int) data.length()];
    payloads.read(data.position(), ByteBuffer.wrap(stored));
    return stored;
  }

  private static String decoded(String path, Data data, byte[] stored) throws IOException {
    try {
      return data.form() == Data.Form.RAW_UNICODE_ESCAPE
          ? unescaped(path, stored)
          : SurrogatePass.decode(stored);
    } catch (CharacterCodingException e) {
      throw PickleError.BAD_PICKLE.in(
          path, "a text of %d bytes is not UTF-8 or has surrogates side by side", stored.length);
    }
  }

  /** Python's raw-unicode-escape: \\uXXXX, \\UXXXXXXXX, and all other bytes as they are. */
  private static String unescaped(String path, byte[] stored) throws IOException {
    String latin1 = new String(stored, StandardCharsets.ISO_8859_1);
    StringBuilder text = new StringBuilder(stored.length);
    int at = 0;
    while (at < latin1.length()) {
      int digits = digits(latin1, at);
      if (digits == 0) {
        // a backslash takes what follows with it: the second of two begins no escape
        int end = Math.min(latin1.charAt(at) == '\\' ? at + 2 : at + 1, latin1.length());
        text.append(latin1, at, end);
        at = end;
        continue;
      }
      int end = at + 2 + digits;
      long code = end <= latin1.length() ? hex(latin1, at + 2, end) : -1;
      PickleError.BAD_PICKLE.check(
          code >= 0 && code <= Character.MAX_CODE_POINT, path, "a text has a broken escape");
      if (Character.isBmpCodePoint((int) code)) {
        SurrogatePass.append(text, (char) code);
      } else {
        text.appendCodePoint((int) code);
      }
      at = end;
    }
    return text.toString();
  }

  private static int digits(String latin1, int at) {
    if (latin1.startsWith("\\u", at)) {
      return ESCAPED_BYTES - 2;
    }
    return latin1.startsWith("\\U", at) ? ESCAPED_LONG - 2 : 0;
  }

  private static long hex(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 0x7f) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}
