package org.saevhadoop.format.zip;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * A ZIP archive that is read in place. Opening it reads the central directory and all local
 * headers, and checks that every reader of ZIP archives finds the same entries; at most 65,535
 * entries and a directory of at most 64 MiB are accepted. Nothing is extracted, and names are never
 * used as paths.
 *
 * <p>Must not be used by more than one thread at a time, like its {@link Input}.
 */
public final class ZipArchive implements Closeable {
  private final Input file;
  private final List<ArchiveEntry> entries;

  private ZipArchive(Input file, List<ArchiveEntry> entries) {
    this.file = file;
    this.entries = List.copyOf(entries);
  }

  /**
   * Opens an archive. Closing the result closes the file, as does an error in this method.
   *
   * @param names the names that the format of the archive allows
   * @throws org.saevhadoop.format.io.FormatException an error whose kind is a {@link ZipError}
   */
  public static ZipArchive open(Input file, EntryNames names) throws IOException {
    try {
      EndRecord end = EndRecord.find(file);
      return new ZipArchive(file, entries(file, end, CentralHeader.readAll(file, end, names)));
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  /**
   * Compares the headers in the central directory with the local headers. Entries must not share
   * bytes, and a sequential reader must not find entries that the central directory does not list.
   * There may be other bytes between entries.
   */
  private static List<ArchiveEntry> entries(Input file, EndRecord end, List<CentralHeader> headers)
      throws IOException {
    headers.sort(Comparator.comparingLong(CentralHeader::localHeader));
    List<ArchiveEntry> entries = new ArrayList<>(headers.size());
    long previousEnd = 0;
    for (int i = 0; i < headers.size(); i++) {
      CentralHeader central = headers.get(i);
      checkGap(file, previousEnd, central.localHeader());
      boolean isLast = i + 1 == headers.size();
      long limit = isLast ? end.directory() : headers.get(i + 1).localHeader();
      ZipError beyond = isLast ? ZipError.OUT_OF_FILE : ZipError.OVERLAP;
      LocalHeader local = LocalHeader.read(file, central, limit, beyond);
      previousEnd = local.end();
      entries.add(
          new ArchiveEntry(
              central.name(),
              central.method() == CentralHeader.STORED,
              local.dataOffset(),
              central.size(),
              central.compressedSize(),
              Integer.toUnsignedLong(central.crc())));
    }
    checkGap(file, previousEnd, end.directory());
    return entries;
  }

  /**
   * Checks that no local header begins at the position where a sequential reader would look for
   * one.
   */
  private static void checkGap(Input file, long from, long to) throws IOException {
    ZipError.UNLISTED_ENTRY.check(
        to - from < Integer.BYTES
            || read(file, from, from + Integer.BYTES).getInt() != LocalHeader.SIGNATURE,
        file.path(),
        "the entry at byte %d is not listed in the central directory",
        from);
  }

  static ByteBuffer read(Input file, long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) (to - from)).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(from, bytes);
    return bytes.flip();
  }

  /** Returns the entries, ordered by the position of their data. */
  public List<ArchiveEntry> entries() {
    return entries;
  }

  /**
   * Returns the data of an entry, from its beginning; several entries can be read at the same time.
   * Closing the result does not close the file.
   *
   * <p>The data of a stored entry may also be read from the file directly, without a check of its
   * CRC-32.
   */
  public ByteSource read(ArchiveEntry entry) {
    return entry.read(file);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
