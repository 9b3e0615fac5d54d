package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Extension of files by zero bytes. */
final class ZeroFill {
  private static final int MAX_BYTES_AT_ONCE = 1 << 18;

  private ZeroFill() {}

  static void fill(Output out, long length) throws IOException {
    check(out, length);
    ByteBuffer zeros =
        ByteBuffer.allocate((int) Math.min(MAX_BYTES_AT_ONCE, length - out.position()));
    while (out.position() < length) {
      out.write(zeros.clear().limit((int) Math.min(zeros.capacity(), length - out.position())));
    }
  }

  /** Checks that a file is not longer than the length to which it is to be extended. */
  static void check(Output out, long length) {
    if (length < out.position()) {
      throw new IllegalArgumentException(
          out.path() + ": " + length + " is before " + out.position());
    }
  }
}
