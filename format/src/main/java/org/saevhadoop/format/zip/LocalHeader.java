package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Header before the data of an entry (APPNOTE.TXT 6.3.10, 4.3.7). Sequential readers know nothing
 * else, so it must not contradict the central directory.
 *
 * @param dataOffset the position in the file of the first byte of the data
 * @param hasDescriptor whether a data descriptor follows the data
 */
record LocalHeader(long dataOffset, boolean hasDescriptor) {
  static final int SIGNATURE = 0x04034b50;

  /** Length in bytes without name and extra fields. */
  static final int LENGTH = 30;

  private static final int DESCRIPTOR_FLAG = 1 << 3;

  /**
   * Reads the header of an entry and compares it with that of the central directory.
   *
   * @param limit the position in the file at which the next entry, or the directory, begins
   * @param beyond the kind of error of an entry that does not end before {@code limit}
   */
  static LocalHeader read(Input file, CentralHeader central, long limit, ZipError beyond)
      throws IOException {
    String path = file.path();
    long at = central.localHeader();
    byte[] name = central.name().getBytes(StandardCharsets.UTF_8);
    beyond.check(
        limit - at >= LENGTH + name.length,
        path,
        "the header of entry \"%s\" is at byte %d (expected to end before byte %d)",
        central.shown(),
        at,
        limit);
    ByteBuffer header = bytes(file, at, LENGTH + name.length);
    checkName(header, name, central, path);
    int flags = header.getShort(6);
    ZipError.ENCRYPTED.check(
        (flags & CentralHeader.ENCRYPTION_FLAGS) == 0,
        path,
        "entry \"%s\" is encrypted, at byte %d",
        central.shown(),
        at);
    int extraLength = Short.toUnsignedInt(header.getShort(28));
    long dataOffset = at + header.limit() + extraLength;
    beyond.check(
        dataOffset <= limit && central.compressedSize() <= limit - dataOffset,
        path,
        "entry \"%s\" has %d bytes of data from byte %d (expected to end before byte %d)",
        central.shown(),
        central.compressedSize(),
        dataOffset,
        limit);
    boolean hasDescriptor = (flags & DESCRIPTOR_FLAG) != 0;
    boolean isWide = header.getInt(18) == -1 || header.getInt(22) == -1;
    ByteBuffer extra = bytes(file, at + header.limit(), isWide ? extraLength : 0);
    checkValues(header, extra, hasDescriptor, central, path);
    return new LocalHeader(dataOffset, hasDescriptor);
  }

  private static ByteBuffer bytes(Input file, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(at, bytes);
    return bytes.flip();
  }

  private static void checkName(ByteBuffer header, byte[] name, CentralHeader central, String path)
      throws FormatException {
    ZipError.HEADER_MISMATCH.check(
        header.getInt(0) == SIGNATURE,
        path,
        "entry \"%s\" has no local header, at byte %d",
        central.shown(),
        central.localHeader());
    ZipError.HEADER_MISMATCH.check(
        Short.toUnsignedInt(header.getShort(26)) == name.length
            && header.slice(LENGTH, name.length).equals(ByteBuffer.wrap(name)),
        path,
        "the local header of entry \"%s\" has another name, at byte %d",
        central.shown(),
        central.localHeader());
  }

  private static void checkValues(
      ByteBuffer header,
      ByteBuffer extra,
      boolean hasDescriptor,
      CentralHeader central,
      String path)
      throws FormatException {
    Zip64Field wide = Zip64Field.find(extra, path, central.localHeader());
    int method = Short.toUnsignedInt(header.getShort(8));
    compare("compression method", method, central.method(), false, central, path);
    int crc = header.getInt(14);
    ZipError.HEADER_MISMATCH.check(
        crc == central.crc() || hasDescriptor && crc == 0,
        path,
        "the local header of entry \"%s\" has CRC-32 %08x, at byte %d (expected %08x)",
        central.shown(),
        crc,
        central.localHeader(),
        central.crc());
    long size = wide.next(header.getInt(22));
    compare("size", size, central.size(), hasDescriptor, central, path);
    long compressed = wide.next(header.getInt(18));
    compare("compressed size", compressed, central.compressedSize(), hasDescriptor, central, path);
  }

  /** Compares a value that may be zero if the data descriptor contains it. */
  private static void compare(
      String field,
      long value,
      long expected,
      boolean mayBeZero,
      CentralHeader central,
      String path)
      throws FormatException {
    ZipError.HEADER_MISMATCH.check(
        value == expected || mayBeZero && value == 0,
        path,
        "the local header of entry \"%s\" has %s %d, at byte %d (expected %d)",
        central.shown(),
        field,
        value,
        central.localHeader(),
        expected);
  }
}
