package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The header before the data of an entry (APPNOTE.TXT 6.3.10, 4.3.7), and the data descriptor after
 * the data (4.3.9). Sequential readers see only these two, so neither of them may contradict the
 * central directory.
 */
final class LocalHeader {
  static final int SIGNATURE = 0x04034b50;

  /** Length in bytes without name and extra fields. */
  static final int LENGTH = 30;

  private static final int DESCRIPTOR_FLAG = 1 << 3;
  private static final int DESCRIPTOR_SIGNATURE = 0x08074b50;
  private static final int MAX_DESCRIPTOR = 24;

  private final Input file;
  private final CentralHeader central;
  private final long limit;
  private final ZipError beyond;
  private long dataOffset;
  private long end;

  private LocalHeader(Input file, CentralHeader central, long limit, ZipError beyond) {
    this.file = file;
    this.central = central;
    this.limit = limit;
    this.beyond = beyond;
  }

  /**
   * Reads the header of an entry and compares it with the central directory.
   *
   * @param limit the position in the file of the next entry or of the central directory
   * @param beyond the kind of error if the entry does not end before {@code limit}
   */
  static LocalHeader read(Input file, CentralHeader central, long limit, ZipError beyond)
      throws IOException {
    LocalHeader header = new LocalHeader(file, central, limit, beyond);
    header.read();
    return header;
  }

  long dataOffset() {
    return dataOffset;
  }

  /** Returns the position in the file after the data and the data descriptor. */
  long end() {
    return end;
  }

  private void read() throws IOException {
    byte[] name = central.name().getBytes(StandardCharsets.UTF_8);
    long nameEnd = end(central.localHeader(), LENGTH + name.length);
    ByteBuffer header = ZipArchive.read(file, central.localHeader(), nameEnd);
    check("signature", header.getInt(0) == SIGNATURE);
    boolean isSameName =
        Short.toUnsignedInt(header.getShort(26)) == name.length
            && header.slice(LENGTH, name.length).equals(ByteBuffer.wrap(name));
    check("name", isSameName);
    int flags = header.getShort(6);
    ZipError.ENCRYPTED.check(
        (flags & CentralHeader.ENCRYPTION_FLAGS) == 0,
        file.path(),
        "entry \"%s\" is encrypted, at byte %d",
        central.shown(),
        central.localHeader());
    dataOffset = end(nameEnd, Short.toUnsignedInt(header.getShort(28)));
    end = end(dataOffset, central.compressedSize());
    boolean hasDescriptor = (flags & DESCRIPTOR_FLAG) != 0;
    checkValues(header, nameEnd, hasDescriptor);
    if (hasDescriptor) {
      end += descriptorLength();
    }
  }

  /**
   * Returns the position where a part of the entry ends, after checking that this position is
   * within the limit.
   */
  private long end(long from, long length) throws FormatException {
    beyond.check(
        length <= limit - from,
        file.path(),
        "entry \"%s\" has %d bytes from byte %d (expected to end before byte %d)",
        central.shown(),
        length,
        from,
        limit);
    return from + length;
  }

  /** Compares the values in the header, which may be zero if they are in the data descriptor. */
  private void checkValues(ByteBuffer header, long nameEnd, boolean mayBeZero) throws IOException {
    boolean isWide = header.getInt(18) == -1 || header.getInt(22) == -1;
    ByteBuffer extra = ZipArchive.read(file, nameEnd, isWide ? dataOffset : nameEnd);
    Zip64Field wide = Zip64Field.find(extra, file.path(), central.localHeader());
    int crc = header.getInt(14);
    long size = wide.next(header.getInt(22));
    long compressed = wide.next(header.getInt(18));
    check("compression method", Short.toUnsignedInt(header.getShort(8)) == central.method());
    check("CRC-32", crc == central.crc() || mayBeZero && crc == 0);
    check("size", size == central.size() || mayBeZero && size == 0);
    check(
        "compressed size", compressed == central.compressedSize() || mayBeZero && compressed == 0);
  }

  private void check(String field, boolean isSame) throws FormatException {
    ZipError.HEADER_MISMATCH.check(
        isSame,
        file.path(),
        "the local header of entry \"%s\" has a different %s, at byte %d",
        central.shown(),
        field,
        central.localHeader());
  }

  /**
   * Returns the length of the data descriptor, which may have a signature and has 64-bit or 32-bit
   * sizes. 32-bit sizes can look like the beginning of 64-bit sizes if both are zero.
   */
  private int descriptorLength() throws IOException {
    ByteBuffer bytes = ZipArchive.read(file, end, Math.min(limit, end + MAX_DESCRIPTOR));
    boolean isLarge = (central.size() | central.compressedSize()) >>> Integer.SIZE != 0;
    for (boolean isSigned : new boolean[] {true, false}) {
      for (boolean isWide : new boolean[] {true, isLarge}) {
        ByteBuffer form = descriptor(isSigned, isWide);
        int length = form.remaining();
        if (length <= bytes.limit() && form.equals(bytes.slice(0, length))) {
          return length;
        }
      }
    }
    throw ZipError.HEADER_MISMATCH.in(
        file.path(),
        "the data descriptor of entry \"%s\" contradicts the central directory, at byte %d",
        central.shown(),
        end);
  }

  private ByteBuffer descriptor(boolean isSigned, boolean isWide) {
    ByteBuffer form = ByteBuffer.allocate(MAX_DESCRIPTOR).order(ByteOrder.LITTLE_ENDIAN);
    if (isSigned) {
      form.putInt(DESCRIPTOR_SIGNATURE);
    }
    form.putInt(central.crc());
    if (isWide) {
      form.putLong(central.compressedSize()).putLong(central.size());
    } else {
      form.putInt((int) central.compressedSize()).putInt((int) central.size());
    }
    return form.flip();
  }
}
