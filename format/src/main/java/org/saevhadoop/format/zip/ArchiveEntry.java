package org.saevhadoop.format.zip;

import org.saevhadoop.format.io.FormatException;

/**
 * Entry of a ZIP archive, as its headers describe it.
 *
 * @param name the name, that of a file; never to be used as a path
 * @param stored whether the data is not compressed
 * @param dataOffset the position in the file of the first byte of the data, in bytes
 * @param size the length of the data before compression, in bytes
 * @param compressedSize the length of the data in the file, in bytes; {@code size} if it is stored
 * @param crc the CRC-32 of the data before compression, from 0 to 2^32 - 1
 */
public record ArchiveEntry(
    String name, boolean stored, long dataOffset, long size, long compressedSize, long crc) {
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
