package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;

/**
 * The bits of a file as bytes with the values 0 and 1, starting with the least significant bit of
 * each byte.
 */
record BitInput(Input file) implements Input.Filter {
  private static final int PIECE = 1 << 12;

  @Override
  public long length() throws IOException {
    return Math.multiplyExact(file.length(), Byte.SIZE);
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int skipped = (int) (at % Byte.SIZE);
      int bits = Math.min(PIECE * Byte.SIZE - skipped, dst.remaining());
      ByteBuffer bytes = ByteBuffer.allocate((skipped + bits + Byte.SIZE - 1) / Byte.SIZE);
      file.readFully(at / Byte.SIZE, bytes);
      for (int i = skipped; i < skipped + bits; i++) {
        dst.put((byte) (bytes.get(i / Byte.SIZE) >> i % Byte.SIZE & 1));
      }
      at += bits;
    }
  }
}
