package org.saevhadoop.format.zip;

import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;

/**
 * Header of an entry in the central directory (APPNOTE.TXT 6.3.10, 4.3.12).
 *
 * @param at the position in the file of this header, for error messages
 * @param name the name as text
 * @param method the compression method, {@link #STORED} or {@link #DEFLATED}
 * @param crc the CRC-32 of the data before compression
 * @param compressedSize the length of the data in the file, in bytes
 * @param size the length of the data before compression, in bytes
 * @param localHeader the position in the file of the local header
 */
record CentralHeader(
    long at, String name, int method, int crc, long compressedSize, long size, long localHeader) {
  static final int SIGNATURE = 0x02014b50;

  /** Length in bytes without name, extra fields and comment. */
  static final int LENGTH = 46;

  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** Flags of encryption, of strong encryption, and of local headers whose values are masked. */
  static final int ENCRYPTION_FLAGS = 1 | 1 << 6 | 1 << 13;

  /**
   * Parses a header.
   *
   * @param header the header without its comment: the remaining bytes
   * @param at the position in the file of the header
   */
  static CentralHeader parse(
      ByteBuffer header, EntryNames names, String path, long at, EndRecord end)
      throws FormatException {
    int nameLength = Short.toUnsignedInt(header.getShort(28));
    String name = names.decode(header.slice(LENGTH, nameLength), path, at);
    int method = checkedMethod(header, name, path, at);
    Zip64Field wide =
        Zip64Field.find(
            header.duplicate().order(header.order()).position(LENGTH + nameLength), path, at);
    long size = wide.next(header.getInt(24));
    long compressedSize = wide.next(header.getInt(20));
    long offset = wide.next(header.getInt(42));
    ZipError.MULTI_DISK.check(
        wide.nextDisk(header.getShort(34)) == 0,
        path,
        "entry \"%s\" is on another disk, at byte %d (expected one disk)",
        EntryNames.shown(name),
        at);
    ZipError.OUT_OF_FILE.check(
        offset <= end.directory() - end.start() - LocalHeader.LENGTH,
        path,
        "entry \"%s\" is at offset %d of the archive (expected to end before offset %d)",
        EntryNames.shown(name),
        offset,
        end.directory() - end.start());
    checkSizes(name, method, size, compressedSize, path, at);
    return new CentralHeader(
        at, name, method, header.getInt(16), compressedSize, size, end.start() + offset);
  }

  private static int checkedMethod(ByteBuffer header, String name, String path, long at)
      throws FormatException {
    ZipError.ENCRYPTED.check(
        (header.getShort(8) & ENCRYPTION_FLAGS) == 0,
        path,
        "entry \"%s\" is encrypted, at byte %d",
        EntryNames.shown(name),
        at);
    int method = Short.toUnsignedInt(header.getShort(10));
    ZipError.UNSUPPORTED_METHOD.check(
        method == STORED || method == DEFLATED,
        path,
        "entry \"%s\" has compression method %d, at byte %d (expected 0, stored, or 8, deflated)",
        EntryNames.shown(name),
        method,
        at);
    return method;
  }

  private static void checkSizes(
      String name, int method, long size, long compressedSize, String path, long at)
      throws FormatException {
    boolean isPossible =
        method == STORED
            ? size == compressedSize
            : size / ZipLimits.MAX_DEFLATE_RATIO <= compressedSize;
    ZipError.IMPOSSIBLE_SIZE.check(
        isPossible,
        path,
        "entry \"%s\" has %d bytes, and %d bytes in the file, at byte %d (expected %s)",
        EntryNames.shown(name),
        size,
        compressedSize,
        at,
        method == STORED ? "the same" : "at most " + ZipLimits.MAX_DEFLATE_RATIO + " to one");
  }

  /** Returns the name for an error message. */
  String shown() {
    return EntryNames.shown(name);
  }
}
