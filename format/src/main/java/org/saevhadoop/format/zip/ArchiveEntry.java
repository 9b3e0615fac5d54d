package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * An entry of a ZIP archive, as described by its headers.
 *
 * @param name the name, which denotes a file; it must never be used as a path
 * @param stored whether the data is not compressed
 * @param dataOffset the position in the file of the first byte of the data, in bytes
 * @param size the length of the data before compression, in bytes
 * @param compressedSize the length of the data in the file, in bytes; equal to {@code size} if the
 *     data is stored
 * @param crc the CRC-32 of the data before compression, from 0 to 2^32 - 1
 */
public record ArchiveEntry(
    String name, boolean stored, long dataOffset, long size, long compressedSize, long crc) {
  private static final int READ_BYTES = 1 << 20;

  /**
   * Returns the data, from its beginning. Closing the result does not close the archive.
   *
   * @param archive the file that contains the entry
   */
  public ByteSource read(Input archive) {
    return new EntrySource(archive, this);
  }

  /**
   * Reads all data and compares its size and CRC-32.
   *
   * @throws FormatException an error whose kind is a {@link ZipError}
   */
  public void check(Input archive) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(1, Math.min(READ_BYTES, size)));
    try (ByteSource data = read(archive)) {
      while (data.read(buffer.clear()) >= 0) {
        // the source compares at the end of the data
      }
    }
  }

  /**
   * Compares the CRC-32 of the data with the declared one.
   *
   * @param path the path of the file
   */
  void check(String path, long found) throws FormatException {
    ZipError.CRC_MISMATCH.check(
        found == crc,
        path,
        "entry \"%s\" has CRC-32 %08x (its data has %08x)",
        EntryNames.shown(name),
        crc,
        found);
  }
}
