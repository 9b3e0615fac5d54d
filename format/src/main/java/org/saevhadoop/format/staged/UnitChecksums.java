package org.saevhadoop.format.staged;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Computes the CRC-32C of each unit of a file from its bytes in order. */
final class UnitChecksums {
  private final long unit;
  private final CRC32C crc = new CRC32C();
  private final ByteArrayOutputStream checksums = new ByteArrayOutputStream();
  private long length;

  UnitChecksums(long unit) {
    this.unit = unit;
  }

  void update(ByteBuffer bytes) {
    int end = bytes.limit();
    while (bytes.position() < end) {
      int some = (int) Math.min(end - bytes.position(), unit - length % unit);
      crc.update(bytes.limit(bytes.position() + some));
      length += some;
      if (length % unit == 0) {
        endUnit();
      }
      bytes.limit(end);
    }
  }

  private void endUnit() {
    byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    checksums.write(value, 0, value.length);
    crc.reset();
  }

  /** Returns the description of the file, after which no bytes may be added. */
  StagedFile of(String name) {
    if (length % unit != 0) {
      endUnit();
    }
    return new StagedFile(name, length, unit, checksums.toByteArray());
  }
}
