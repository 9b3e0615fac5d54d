package org.saevhadoop.format.pickle.value;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/** Python value of {@link PayloadData}, independent of its encoding in the pickle. */
public final class PayloadContent {
  private static final int UTF8_BYTES = 3;
  private static final int ESCAPED_BYTES = 6;
  private static final int ESCAPED_LONG = 10;

  private PayloadContent() {}

  /**
   * Returns the minimum number of bytes or Java characters of the value, so that a value that is
   * too long can be rejected before it is read.
   */
  static long fewest(PayloadData data) {
    return switch (data.form()) {
      case RAW -> data.length();
      case UTF8 -> data.length() / UTF8_BYTES;
      case RAW_UNICODE_ESCAPE -> data.length() / ESCAPED_BYTES;
    };
  }

  /**
   * Returns the content of a {@code bytes} object or an array.
   *
   * @param most the maximum number of bytes that the data may have in the pickle
   */
  public static byte[] bytes(
      String path, PayloadData data, @Nullable PayloadStore payloads, long most)
      throws IOException {
    byte[] stored = stored(path, data, payloads, most);
    if (data.form() == PayloadData.Form.RAW) {
      return stored;
    }
    String text = text(path, utf8(path, data, stored)).orElse("\uffff");
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    boolean holds = text.chars().allMatch(c -> c <= 0xff);
    PickleError.BAD_PICKLE.check(holds, path, "bytes have a character above U+00FF");
    return bytes;
  }

  /**
   * Returns the content of a {@code str}; empty if it contains the halves of a surrogate pair as
   * two separate characters, which Java cannot distinguish from one character.
   */
  static Optional<String> text(String path, byte[] utf8) throws FormatException {
    try {
      return SurrogatePass.decode(utf8);
    } catch (CharacterCodingException e) {
      throw PickleError.BAD_PICKLE
          .in(path, "a string of %d bytes is not UTF-8", utf8.length)
          .causedBy(e);
    }
  }

  /** Returns the content of a {@code str} in UTF-8, with lone surrogates in three bytes each. */
  public static byte[] utf8(
      String path, PayloadData data, @Nullable PayloadStore payloads, long most)
      throws IOException {
    return utf8(path, data, stored(path, data, payloads, most));
  }

  private static byte[] utf8(String path, PayloadData data, byte[] stored) throws FormatException {
    return data.form() == PayloadData.Form.RAW_UNICODE_ESCAPE ? unescaped(path, stored) : stored;
  }

  private static byte[] stored(
      String path, PayloadData data, @Nullable PayloadStore payloads, long most)
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
    Objects.requireNonNull(payloads).read(data.position(), ByteBuffer.wrap(stored));
    return stored;
  }

  /**
   * Decodes the {@code raw-unicode-escape} of Python: \\uXXXX, \\UXXXXXXXX, and all other bytes
   * unchanged.
   */
  private static byte[] unescaped(String path, byte[] stored) throws FormatException {
    String latin1 = new String(stored, StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream text = new ByteArrayOutputStream(stored.length);
    int at = 0;
    while (at < latin1.length()) {
      int digits = digits(latin1, at);
      if (digits == 0) {
        // skips the next character too: the second of two backslashes does not begin an escape
        int end = Math.min(latin1.charAt(at) == '\\' ? at + 2 : at + 1, latin1.length());
        text.writeBytes(latin1.substring(at, end).getBytes(StandardCharsets.UTF_8));
        at = end;
        continue;
      }
      int end = at + 2 + digits;
      long code = end <= latin1.length() ? hex(latin1, at + 2, end) : -1;
      PickleError.BAD_PICKLE.check(
          code >= 0 && code <= Character.MAX_CODE_POINT, path, "a string has an invalid escape");
      text.writeBytes(SurrogatePass.encode((int) code));
      at = end;
    }
    return text.toByteArray();
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
