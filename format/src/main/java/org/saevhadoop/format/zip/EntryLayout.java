package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.io.Input;

/**
 * Layout of the entries in the file. They must not share bytes, and a sequential reader must find
 * none that the central directory does not list. Other bytes may be between them.
 */
final class EntryLayout {
  private final Input file;
  private final EndRecord end;

  private EntryLayout(Input file, EndRecord end) {
    this.file = file;
    this.end = end;
  }

  /** Reads all local headers and returns the entries in the order of their data. */
  static List<ArchiveEntry> read(Input file, EntryNames names) throws IOException {
    EndRecord end = EndRecord.find(file);
    List<CentralHeader> headers = CentralDirectory.read(file, end, names);
    headers.sort(Comparator.comparingLong(CentralHeader::localHeader));
    return new EntryLayout(file, end).entries(headers);
  }

  private List<ArchiveEntry> entries(List<CentralHeader> headers) throws IOException {
    List<ArchiveEntry> entries = new ArrayList<>(headers.size());
    long previousEnd = 0;
    for (int i = 0; i < headers.size(); i++) {
      CentralHeader central = headers.get(i);
      checkGap(previousEnd, central.localHeader());
      boolean isLast = i + 1 == headers.size();
      long limit = isLast ? end.directory() : headers.get(i + 1).localHeader();
      ZipError beyond = isLast ? ZipError.OUT_OF_FILE : ZipError.OVERLAP;
      LocalHeader local = LocalHeader.read(file, central, limit, beyond);
      long dataEnd = local.dataOffset() + central.compressedSize();
      previousEnd =
          local.hasDescriptor()
              ? dataEnd + DataDescriptor.lengthAt(file, central, dataEnd, limit)
              : dataEnd;
      entries.add(
          new ArchiveEntry(
              central.name(),
              central.method() == CentralHeader.STORED,
              local.dataOffset(),
              central.size(),
              central.compressedSize(),
              Integer.toUnsignedLong(central.crc())));
    }
    checkGap(previousEnd, end.directory());
    return entries;
  }

  /** Checks that no local header begins where a sequential reader would look for the next one. */
  private void checkGap(long from, long to) throws IOException {
    if (to - from < Integer.BYTES) {
      return;
    }
    ByteBuffer signature = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(from, signature);
    ZipError.UNLISTED_ENTRY.check(
        signature.getInt(0) != LocalHeader.SIGNATURE,
        file.path(),
        "the entry at byte %d is not listed in the central directory",
        from);
  }
}
