package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The header of an entry in the central directory (APPNOTE.TXT 6.3.10, 4.3.12).
 *
 * @param at the position in the file of this header, for error messages
 * @param name the name as text
 * @param method the compression method, {@link #STORED} or {@link #DEFLATED}
 * @param crc the CRC-32 of the data before compression
 * @param compressedSize the length of the data in the file, in bytes
 * @param size the length of the data before compression, in bytes
 * @param localHeader the position of the local header in the file
 */
record CentralHeader(
    long at, String name, int method, int crc, long compressedSize, long size, long localHeader) {
  static final int SIGNATURE = 0x02014b50;

  /** Length in bytes without name, extra fields and comment. */
  static final int LENGTH = 46;

  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** Flags for encryption, for strong encryption, and for local headers with masked values. */
  static final int ENCRYPTION_FLAGS = 1 | 1 << 6 | 1 << 13;

  /**
   * The maximum ratio of the sizes before and after compression with DEFLATE (RFC 1951): a match of
   * 258 bytes takes at least two bits, one for its length and one for its distance.
   */
  private static final int MAX_DEFLATE_RATIO = 1032;

  /** Reads the whole directory and returns its headers in order. */
  static List<CentralHeader> readAll(Input file, EndRecord end, EntryNames names)
      throws IOException {
    String path = file.path();
    ByteBuffer directory = ZipArchive.read(file, end.directory(), end.directoryEnd());
    List<CentralHeader> headers = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (int i = 0; i < end.entries(); i++) {
      long at = end.directory() + directory.position();
      int length = lengthOfNext(directory);
      ZipError.BAD_DIRECTORY.check(
          length <= directory.remaining(),
          path,
          "has no complete header of entry %d of %d, at byte %d",
          i,
          end.entries(),
          at);
      ByteBuffer header = directory.slice(directory.position(), length).order(directory.order());
      CentralHeader parsed = parse(header, names, path, at, end);
      ZipError.DUPLICATE_NAME.check(
          known.add(parsed.name),
          path,
          "two entries are named \"%s\", at byte %d",
          parsed.shown(),
          at);
      headers.add(parsed);
      directory.position(directory.position() + length);
    }
    ZipError.BAD_DIRECTORY.check(
        !directory.hasRemaining(),
        path,
        "%d bytes follow the last of %d headers, at byte %d (expected the end of the directory)",
        directory.remaining(),
        end.entries(),
        end.directory() + directory.position());
    return headers;
  }

  /**
   * Returns the length of the next header in bytes; {@link Integer#MAX_VALUE} if no header begins
   * at the position.
   */
  private static int lengthOfNext(ByteBuffer directory) {
    int at = directory.position();
    if (directory.remaining() < LENGTH || directory.getInt(at) != SIGNATURE) {
      return Integer.MAX_VALUE;
    }
    return LENGTH
        + Short.toUnsignedInt(directory.getShort(at + 28))
        + Short.toUnsignedInt(directory.getShort(at + 30))
        + Short.toUnsignedInt(directory.getShort(at + 32));
  }

  private static CentralHeader parse(
      ByteBuffer header, EntryNames names, String path, long at, EndRecord end)
      throws FormatException {
    int nameLength = Short.toUnsignedInt(header.getShort(28));
    int extraLength = Short.toUnsignedInt(header.getShort(30));
    String name = names.decode(header.slice(LENGTH, nameLength), path, at);
    String shown = EntryNames.shown(name);
    int method = checkedMethod(header, shown, path, at);
    ByteBuffer extra = header.slice(LENGTH + nameLength, extraLength).order(header.order());
    Zip64Field wide = Zip64Field.find(extra, path, at);
    long size = wide.next(header.getInt(24));
    long compressedSize = wide.next(header.getInt(20));
    long offset = wide.next(header.getInt(42));
    ZipError.MULTI_DISK.check(
        wide.nextDisk(header.getShort(34)) == 0,
        path,
        "entry \"%s\" is on another disk, at byte %d (expected one disk)",
        shown,
        at);
    ZipError.OUT_OF_FILE.check(
        offset <= end.directory() - end.start() - LocalHeader.LENGTH,
        path,
        "entry \"%s\" is at offset %d of the archive (expected to end before offset %d)",
        shown,
        offset,
        end.directory() - end.start());
    ZipError.IMPOSSIBLE_SIZE.check(
        method == STORED ? size == compressedSize : size / MAX_DEFLATE_RATIO <= compressedSize,
        path,
        "entry \"%s\" has %d bytes, but %d bytes in the file, at byte %d (expected %s)",
        shown,
        size,
        compressedSize,
        at,
        method == STORED ? "the same" : "a ratio of at most " + MAX_DEFLATE_RATIO + " to 1");
    return new CentralHeader(
        at, name, method, header.getInt(16), compressedSize, size, end.start() + offset);
  }

  private static int checkedMethod(ByteBuffer header, String shown, String path, long at)
      throws FormatException {
    ZipError.ENCRYPTED.check(
        (header.getShort(8) & ENCRYPTION_FLAGS) == 0,
        path,
        "entry \"%s\" is encrypted, at byte %d",
        shown,
        at);
    int method = Short.toUnsignedInt(header.getShort(10));
    ZipError.UNSUPPORTED_METHOD.check(
        method == STORED || method == DEFLATED,
        path,
        "entry \"%s\" has compression method %d, at byte %d (expected 0, stored, or 8, deflated)",
        shown,
        method,
        at);
    return method;
  }

  String shown() {
    return EntryNames.shown(name);
  }
}
