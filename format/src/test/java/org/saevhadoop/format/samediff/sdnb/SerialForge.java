package org.saevhadoop.format.samediff.sdnb;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Makes serialization streams from parts, and changes parts of valid ones. */
final class SerialForge {
  private SerialForge() {}

  /** Bytes in hexadecimal digits, which blanks may separate. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  /** A text with its length in two bytes. */
  static byte[] utf(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeUTF(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] int64(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  /** Replaces the first occurrence of a part, which must occur. */
  static byte[] replace(byte[] bytes, byte[] part, byte[]... by) {
    int at = indexOf(bytes, part, 0);
    return join(
        Arrays.copyOf(bytes, at),
        join(by),
        Arrays.copyOfRange(bytes, at + part.length, bytes.length));
  }

  /** The first position of a part, which must occur, from some byte on. */
  static int indexOf(byte[] bytes, byte[] part, int from) {
    for (int at = from; at <= bytes.length - part.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    throw new IllegalArgumentException("the part does not occur");
  }
}
