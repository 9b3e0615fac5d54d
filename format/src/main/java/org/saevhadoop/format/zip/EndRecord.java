package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;

/**
 * The end of central directory record (APPNOTE.TXT 6.3.10, 4.3.16), completed by its ZIP64 form
 * (4.3.14) if there is one.
 *
 * <p>The record is the last one in the file, and must be valid: {@code java.util.zip.ZipFile} skips
 * an invalid record, but other readers do not and would read another archive. As in {@code
 * ZipFile}, other bytes may precede the archive and, if ZIP64 is not used, follow it.
 *
 * @param start the position in the file to which offsets in the archive are relative, in bytes
 * @param directory the position in the file of the central directory, in bytes
 * @param directoryEnd the position in the file of the byte after the central directory, in bytes
 * @param entries the number of entries
 */
record EndRecord(long start, long directory, long directoryEnd, int entries) {
  static final int SIGNATURE = 0x06054b50;
  static final int LENGTH = 22;
  private static final int MAX_COMMENT = 0xffff;
  private static final long MAGIC_16 = 0xffff;
  private static final long MAGIC_32 = 0xffffffffL;

  static final int SIGNATURE_64 = 0x06064b50;
  static final int LENGTH_64 = 56;
  static final int LOCATOR_SIGNATURE = 0x07064b50;
  static final int LOCATOR_LENGTH = 20;

  /** Maximum number of entries that are read: the limit of a ZIP archive without ZIP64. */
  static final int MAX_ENTRIES = 0xffff;

  /** Maximum length in bytes of a central directory: 1 KiB for each of {@link #MAX_ENTRIES}. */
  private static final int MAX_DIRECTORY_BYTES = 64 << 20;

  /** The fields that both forms of the record have. */
  private record Fields(boolean isOneDisk, long entries, long length, long offset) {
    boolean agreesWith(Fields wide) {
      return (isOneDisk || !wide.isOneDisk)
          && (entries == MAGIC_16 || entries == wide.entries)
          && (length == MAGIC_32 || length == wide.length)
          && (offset == MAGIC_32 || offset == wide.offset);
    }
  }

  static EndRecord find(Input file) throws IOException {
    long length = file.length();
    ByteBuffer tail = ZipArchive.read(file, Math.max(0, length - LENGTH - MAX_COMMENT), length);
    int index = lastSignature(tail);
    if (index < 0) {
      throw notFound(file, length);
    }
    long at = length - tail.limit() + index;
    Fields narrow = fields(tail, index);
    long commentEnd = at + LENGTH + Short.toUnsignedInt(tail.getShort(index + 20));
    ZipError.TRUNCATED.check(
        commentEnd <= length,
        file.path(),
        "the comment of the archive should end at byte %d, but the file ends at byte %d",
        commentEnd,
        length);
    long wideAt = find64(file, at);
    ZipError.BAD_DIRECTORY.check(
        commentEnd == length || wideAt < 0 && narrow.entries > 0,
        file.path(),
        "%d bytes follow the end record, at byte %d (expected the end of the file)",
        length - commentEnd,
        commentEnd);
    return wideAt < 0 ? checked(file, narrow, at) : wide(file, narrow, wideAt, at);
  }

  private static int lastSignature(ByteBuffer tail) {
    int index = tail.limit() - LENGTH;
    while (index >= 0 && tail.getInt(index) != SIGNATURE) {
      index--;
    }
    return index;
  }

  private static IOException notFound(Input file, long length) throws IOException {
    boolean isZip =
        length >= Integer.BYTES
            && ZipArchive.read(file, 0, Integer.BYTES).getInt() == LocalHeader.SIGNATURE;
    return isZip
        ? ZipError.TRUNCATED.in(
            file.path(), "the archive has no end record; the file ends at byte %d", length)
        : ZipError.NOT_A_ZIP.in(file.path(), "is not a ZIP archive");
  }

  private static Fields fields(ByteBuffer record, int index) {
    long entries = Short.toUnsignedInt(record.getShort(index + 10));
    return new Fields(
        record.getInt(index + 4) == 0 && Short.toUnsignedInt(record.getShort(index + 8)) == entries,
        entries,
        Integer.toUnsignedLong(record.getInt(index + 12)),
        Integer.toUnsignedLong(record.getInt(index + 16)));
  }

  /** Returns the position of the ZIP64 record; -1 if the archive has none. */
  private static long find64(Input file, long end) throws IOException {
    long at = end - LOCATOR_LENGTH;
    if (at < 0) {
      return -1;
    }
    ByteBuffer locator = ZipArchive.read(file, at, end);
    if (locator.getInt(0) != LOCATOR_SIGNATURE) {
      return -1;
    }
    // disks are numbered from 0 in APPNOTE.TXT, and some writers leave the number of disks at 0
    ZipError.MULTI_DISK.check(
        locator.getInt(4) == 0 && Integer.compareUnsigned(locator.getInt(16), 1) <= 0,
        file.path(),
        "the archive has several disks, at byte %d (expected one)",
        at);
    long record = locator.getLong(8);
    boolean isBefore = record >= 0 && record <= at - LENGTH_64;
    ZipError.BAD_DIRECTORY.check(
        isBefore && ZipArchive.read(file, record, record + Integer.BYTES).getInt() == SIGNATURE_64,
        file.path(),
        "there is no ZIP64 end record at byte %s, to which the locator at byte %d points",
        Long.toUnsignedString(record),
        at);
    return record;
  }

  private static EndRecord wide(Input file, Fields narrow, long at, long end) throws IOException {
    ByteBuffer record = ZipArchive.read(file, at, at + LENGTH_64);
    long entries = record.getLong(32);
    boolean isOneDisk = record.getLong(16) == 0 && record.getLong(24) == entries;
    Fields wide = new Fields(isOneDisk, entries, record.getLong(40), record.getLong(48));
    ZipError.BAD_DIRECTORY.check(
        narrow.agreesWith(wide),
        file.path(),
        "the end records at byte %d and byte %d contradict each other",
        at,
        end);
    EndRecord checked = checked(file, wide, at);
    ZipError.BAD_DIRECTORY.check(
        checked.start == 0,
        file.path(),
        "the central directory ends at byte %d (expected at the ZIP64 end record at byte %d)",
        at - checked.start,
        at);
    return checked;
  }

  /** Returns the checked values of a record; the directory ends at the record's position. */
  private static EndRecord checked(Input file, Fields fields, long at) throws IOException {
    String path = file.path();
    ZipError.MULTI_DISK.check(
        fields.isOneDisk, path, "the archive has several disks, at byte %d (expected one)", at);
    ZipError.TOO_LARGE.check(
        Long.compareUnsigned(fields.entries, MAX_ENTRIES) <= 0,
        path,
        "the archive has %s entries, at byte %d (expected at most %d)",
        Long.toUnsignedString(fields.entries),
        at,
        MAX_ENTRIES);
    ZipError.TOO_LARGE.check(
        Long.compareUnsigned(fields.length, MAX_DIRECTORY_BYTES) <= 0,
        path,
        "the central directory has %s bytes, at byte %d (expected at most %d)",
        Long.toUnsignedString(fields.length),
        at,
        MAX_DIRECTORY_BYTES);
    long begin = at - fields.length;
    ZipError.BAD_DIRECTORY.check(
        fields.offset >= 0 && fields.offset <= begin,
        path,
        "the central directory has %d bytes from byte %s (expected to end at byte %d)",
        fields.length,
        Long.toUnsignedString(fields.offset),
        at);
    return new EndRecord(begin - fields.offset, begin, at, (int) fields.entries);
  }
}
