package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Input;

/**
 * CRC-32 and sizes after the data of an entry (APPNOTE.TXT 6.3.10, 4.3.9): with or without a
 * signature, with sizes of 32 or 64 bits.
 */
final class DataDescriptor {
  private static final int SIGNATURE = 0x08074b50;
  private static final int MAX_LENGTH = 24;

  private DataDescriptor() {}

  /**
   * Compares a data descriptor with the central directory.
   *
   * @param at the position in the file of the descriptor
   * @param limit the position in the file at which the next entry, or the directory, begins
   * @return the length of the descriptor in bytes
   */
  static int lengthAt(Input file, CentralHeader central, long at, long limit) throws IOException {
    int length = (int) Math.min(MAX_LENGTH, limit - at);
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(at, bytes);
    bytes.flip();
    boolean isSigned = length >= Integer.BYTES && bytes.getInt(0) == SIGNATURE;
    int found = isSigned ? length(bytes, Integer.BYTES, central) : 0;
    found = found == 0 ? length(bytes, 0, central) : found;
    ZipError.HEADER_MISMATCH.check(
        found > 0,
        file.path(),
        "the data descriptor of entry \"%s\" contradicts the central directory, at byte %d",
        central.shown(),
        at);
    return found;
  }

  /** Returns the length of a descriptor whose CRC-32 is at an index; 0 if the values differ. */
  private static int length(ByteBuffer bytes, int index, CentralHeader central) {
    int sizes = index + Integer.BYTES;
    int narrowEnd = sizes + 2 * Integer.BYTES;
    int wideEnd = sizes + 2 * Long.BYTES;
    if (narrowEnd > bytes.limit() || bytes.getInt(index) != central.crc()) {
      return 0;
    }
    boolean isNarrow =
        Integer.toUnsignedLong(bytes.getInt(sizes)) == central.compressedSize()
            && Integer.toUnsignedLong(bytes.getInt(sizes + Integer.BYTES)) == central.size();
    boolean isWide =
        wideEnd <= bytes.limit()
            && bytes.getLong(sizes) == central.compressedSize()
            && bytes.getLong(sizes + Long.BYTES) == central.size();
    // sizes of 32 bits that are right may begin with those of 64 bits if both are zero
    return isWide ? wideEnd : isNarrow ? narrowEnd : 0;
  }
}
