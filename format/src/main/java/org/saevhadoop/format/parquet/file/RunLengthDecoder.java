package org.saevhadoop.format.parquet.file;

import java.nio.ByteBuffer;

/**
 * Decoder of Parquet's hybrid of run-length encoding and bit packing, which stores small numbers.
 */
public final class RunLengthDecoder {
  private final ByteBuffer in;
  private final int width;
  private long left;
  private boolean packed;
  private int value;
  private long bits;
  private int bitCount;

  /**
   * Creates a decoder.
   *
   * @param width the number of bits per number, up to 32; if 0, all numbers are 0
   */
  public RunLengthDecoder(ByteBuffer in, int width) {
    ThriftStruct.require(width >= 0 && width <= 32, "numbers of more than 32 bits");
    this.in = in;
    this.width = width;
  }

  public int next() {
    if (width == 0) {
      return 0;
    }
    while (left == 0) {
      nextRun();
    }
    left--;
    if (!packed) {
      return value;
    }
    while (bitCount < width) {
      bits |= (in.get() & 0xffL) << bitCount;
      bitCount += 8;
    }
    int number = (int) (bits & (1L << width) - 1);
    bits >>>= width;
    bitCount -= width;
    return number;
  }

  /**
   * Skips numbers of the current run that equal the last number returned.
   *
   * @return the number of skipped values
   */
  public int skipEqual(int max) {
    if (width == 0) {
      return max;
    }
    if (packed) {
      return 0;
    }
    int skipped = (int) Math.min(left, max);
    left -= skipped;
    return skipped;
  }

  private void nextRun() {
    long head = ThriftStruct.varint(in) & 0xffffffffL;
    packed = (head & 1) == 1;
    bits = 0;
    bitCount = 0;
    if (packed) {
      left = (head >>> 1) * 8;
      return;
    }
    left = head >>> 1;
    value = 0;
    for (int i = 0; i < (width + 7) / 8; i++) {
      value |= (in.get() & 0xff) << 8 * i;
    }
  }
}
