package org.saevhadoop.format.samediff.sdnb;

import java.io.UTFDataFormatException;

/**
 * Modified UTF-8 (Java Virtual Machine Specification, section 4.4.7): each char of a string is
 * encoded separately, with three bytes for a surrogate and two bytes for NUL.
 */
final class ModifiedUtf8 {
  private static final int MAX_ONE_BYTE = 0x7f;
  private static final int MAX_TWO_BYTES = 0x7ff;

  private ModifiedUtf8() {}

  static int bytes(char c) {
    if (c > MAX_TWO_BYTES) {
      return 3;
    }
    return c > MAX_ONE_BYTE || c == 0 ? 2 : 1;
  }

  static long bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      bytes += bytes(text.charAt(i));
    }
    return bytes;
  }

  /**
   * Decodes a text. Each string has exactly one encoding: longer forms of a char and the byte 0 are
   * errors, although {@link java.io.DataInput} accepts them.
   *
   * @throws Malformed if the bytes are not modified UTF-8; the exception has the index of the first
   *     byte that does not begin a char
   */
  static String decode(byte[] bytes) throws Malformed {
    char[] text = new char[bytes.length];
    int length = 0;
    for (int at = 0; at < bytes.length; ) {
      int count = count(bytes[at]);
      if (count == 0 || count > bytes.length - at) {
        throw new Malformed(at);
      }
      char c = count == 1 ? (char) bytes[at] : joined(bytes, at, count);
      if (bytes(c) != count) {
        throw new Malformed(at);
      }
      text[length++] = c;
      at += count;
    }
    return new String(text, 0, length);
  }

  /**
   * Returns the number of bytes of a char whose encoding begins with the given byte; 0 if no char
   * begins with it.
   */
  private static int count(byte first) {
    if (first >= 0) {
      return 1;
    }
    if ((first & 0xe0) == 0xc0) {
      return 2;
    }
    return (first & 0xf0) == 0xe0 ? 3 : 0;
  }

  private static char joined(byte[] bytes, int at, int count) throws Malformed {
    int c = bytes[at] & (count == 2 ? 0x1f : 0x0f);
    for (int i = 1; i < count; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        throw new Malformed(at);
      }
      c = c << 6 | bytes[at + i] & 0x3f;
    }
    return (char) c;
  }

  /** Thrown for bytes that are not modified UTF-8. */
  static final class Malformed extends UTFDataFormatException {
    private static final long serialVersionUID = 1L;
    private final int index;

    Malformed(int index) {
      this.index = index;
    }

    /** Returns the index of the first byte that does not begin a char. */
    int index() {
      return index;
    }
  }
}
