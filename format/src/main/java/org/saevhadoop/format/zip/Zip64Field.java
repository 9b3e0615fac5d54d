package org.saevhadoop.format.zip;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * The ZIP64 extended information among the extra fields of a header (APPNOTE.TXT 6.3.10, 4.5.3):
 * the values of the header fields whose bits are all 1, in the order of the header. If the ZIP64
 * field is missing, a header field whose bits are all 1 is an ordinary value.
 */
record Zip64Field(@Nullable ByteBuffer values, String path, long at) {
  private static final int ID = 1;
  private static final int FIELD_HEADER = 4;
  private static final int ONES_16 = 0xffff;

  /**
   * Finds the field; up to three bytes after the last extra field are padding.
   *
   * @param extra the extra fields: the remaining bytes, which are consumed
   * @param at the position in the file of the header, for error messages
   */
  static Zip64Field find(ByteBuffer extra, String path, long at) throws FormatException {
    ByteBuffer values = null;
    while (extra.remaining() >= FIELD_HEADER) {
      int id = Short.toUnsignedInt(extra.getShort());
      int length = Short.toUnsignedInt(extra.getShort());
      ZipError.BAD_DIRECTORY.check(
          length <= extra.remaining() && (id != ID || values == null),
          path,
          "the header at byte %d has invalid extra fields (expected complete fields, and at most"
              + " one of ZIP64)",
          at);
      if (id == ID) {
        values = extra.slice(extra.position(), length).order(extra.order());
      }
      extra.position(extra.position() + length);
    }
    return new Zip64Field(values, path, at);
  }

  /** Returns the value of the next 32-bit field of the header, at most 2^63 - 1. */
  long next(int narrow) throws FormatException {
    if (narrow != -1 || values == null) {
      return Integer.toUnsignedLong(narrow);
    }
    long value = values.remaining() < Long.BYTES ? -1 : values.getLong();
    ZipError.BAD_DIRECTORY.check(
        value >= 0,
        path,
        "the ZIP64 extra field of the header at byte %d lacks a value (expected one below 2^63)",
        at);
    return value;
  }

  /** Returns the value of the next 16-bit field of the header, which is the number of a disk. */
  long nextDisk(short narrow) {
    int disk = Short.toUnsignedInt(narrow);
    return disk == ONES_16 && values != null && values.remaining() >= Integer.BYTES
        ? Integer.toUnsignedLong(values.getInt())
        : disk;
  }
}
