package org.saevhadoop.format.samediff.sdz;

import org.saevhadoop.format.io.FormatException;

/**
 * Entry of an SDZ file, as its headers describe it.
 *
 * @param name the name, that of a file in the root of the archive; never to be used as a path
 * @param stored whether the data is not compressed
 * @param dataOffset the position in the file of the first byte of the data, in bytes
 * @param size the length of the data before compression, in bytes
 * @param compressedSize the length of the data in the file, in bytes; {@code size} if it is stored
 * @param crc the CRC-32 of the data before compression, from 0 to 2^32 - 1
 */
public record SdzEntry(
    String name, boolean stored, long dataOffset, long size, long compressedSize, long crc) {
  /**
   * Compares the CRC-32 of the data with the declared one.
   *
   * @param path the path of the file
   */
  void check(String path, long found) throws FormatException {
    SdzError.CRC_MISMATCH.check(
        found == crc,
        path,
        "entry \"%s\" has CRC-32 %08x (its data has %08x)",
        EntryName.shown(name),
        crc,
        found);
  }

  /**
   * Returns whether nd4j takes the entry for an SDNB: its name begins with {@code model} or ends in
   * {@code .sdnb}.
   */
  boolean isModel() {
    return name.startsWith("model") || name.endsWith(".sdnb");
  }
}
