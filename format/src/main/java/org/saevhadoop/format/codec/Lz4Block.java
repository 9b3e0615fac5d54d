package org.saevhadoop.format.codec;

import java.nio.ByteBuffer;

/** Decodes LZ4 blocks. */
public final class Lz4Block {
  /** The maximum compression ratio: one byte of a length can represent 255 bytes. */
  public static final int BEST_RATIO = 255;

  private Lz4Block() {}

  /**
   * Decodes the remaining bytes of a block.
   *
   * @param out the array to decode into; matches can refer to the bytes before the block
   * @param first the index of the first byte to which matches can refer
   * @param from the index of the first decoded byte
   * @param end the maximum index after the last decoded byte
   * @return the index after the last decoded byte
   */
  public static int unpack(ByteBuffer in, byte[] out, int first, int from, int end) {
    int at = from;
    while (in.hasRemaining()) {
      int token = in.get() & 0xff;
      int literal = length(in, token >> 4, end - at);
      require(literal <= end - at, "an lz4 literal is too long");
      in.get(out, at, literal);
      at += literal;
      if (in.hasRemaining()) { // The last sequence is a literal.
        int back = in.get() & 0xff | (in.get() & 0xff) << 8;
        int length = length(in, token & 15, end - at) + 4;
        require(
            back > 0 && back <= at - first && length <= end - at, "an lz4 copy is out of bounds");
        copy(out, at, back, length);
        at += length;
      }
    }
    return at;
  }

  private static int length(ByteBuffer in, int nibble, int max) {
    int length = nibble;
    for (int more = nibble == 15 ? 255 : 0; more == 255; ) {
      more = in.get() & 0xff;
      length += more;
      require(length <= max, "an lz4 length is too long");
    }
    return length;
  }

  /** Copies bytes that precede a position to that position; the ranges can overlap. */
  public static void copy(byte[] out, int at, int back, int length) {
    if (back >= length) {
      System.arraycopy(out, at - back, out, at, length);
      return;
    }
    for (int i = at; i < at + length; i++) {
      out[i] = out[i - back];
    }
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
