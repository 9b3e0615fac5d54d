package org.saevhadoop.format.parquet.write;

import java.io.ByteArrayOutputStream;

/** Encodes small numbers as runs of Parquet's RLE encoding, without bit packing. */
final class RunLengthEncoder {
  private final int valueBytes;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int value;
  private int count;

  RunLengthEncoder(int bitWidth) {
    this.valueBytes = (bitWidth + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Adds a number, repeated the given number of times. */
  void add(int number, int times) {
    if (number != value) {
      endRun();
      value = number;
    }
    count = Math.addExact(count, times);
  }

  private void endRun() {
    if (count == 0) {
      return;
    }
    long left = (long) count << 1;
    for (; left > 0x7f; left >>>= 7) {
      out.write((int) left & 0x7f | 0x80);
    }
    out.write((int) left);
    for (int i = 0; i < valueBytes; i++) {
      out.write(value >>> i * Byte.SIZE);
    }
    count = 0;
  }

  /** Returns all runs. */
  byte[] toBytes() {
    endRun();
    return out.toByteArray();
  }
}
