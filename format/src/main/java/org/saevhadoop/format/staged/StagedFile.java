package org.saevhadoop.format.staged;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;

/**
 * A file of a part, as written.
 *
 * @param unit the number of bytes that each checksum covers; the last checksum covers the remaining
 *     bytes
 * @param checksums the CRC-32C of each unit in order, as big-endian integers
 */
record StagedFile(String name, long length, long unit, byte[] checksums) {
  private static final int READ_BYTES = 1 << 20;

  static StagedFile of(String name, Input file, long unit) throws IOException {
    UnitChecksums sums = new UnitChecksums(unit);
    long length = file.length();
    ByteBuffer buffer = Input.buffer((int) Math.min(READ_BYTES, length));
    for (long done = 0; done < length; done += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
      file.readFully(done, buffer);
      sums.update(buffer.flip());
    }
    return sums.of(name);
  }

  int units() {
    return checksums.length / Integer.BYTES;
  }

  int checksum(int index) {
    return ByteBuffer.wrap(checksums).getInt(index * Integer.BYTES);
  }

  /** Returns whether the lengths and checksums have the form in which this class computes them. */
  boolean isValid() {
    return length >= 0
        && unit > 0
        && checksums.length % Integer.BYTES == 0
        && units() == length / unit + (length % unit == 0 ? 0 : 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StagedFile file
        && name.equals(file.name)
        && length == file.length
        && unit == file.unit
        && Arrays.equals(checksums, file.checksums);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Arrays.hashCode(checksums);
  }

  @Override
  public String toString() {
    return Quote.sentence("%s, %d bytes", name, length);
  }
}
