package org.saevhadoop.format.zip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;

/**
 * A ZIP archive of stored entries, as a virtual file: its headers are in memory, and the data of
 * its entries is in other files (APPNOTE.TXT 6.3.10, 4.3).
 */
public final class StoredZip {
  private static final int VERSION = 45;
  private static final int UTF_8_FLAG = 1 << 11;

  /** 1980-01-01, the earliest date that ZIP can represent. */
  private static final int DATE = 1 << 5 | 1;

  private static final int LOCAL_ZIP64 = 4 + 2 * Long.BYTES;
  private static final int CENTRAL_ZIP64 = 4 + 3 * Long.BYTES;
  private static final int ZIP64_ID = 1;

  /** The name that denotes the headers; file names are never empty. */
  private static final String HEADERS = "";

  /**
   * An entry.
   *
   * @param name the name in the archive
   * @param size the length of the data in bytes
   * @param crc the CRC-32 of the data, from 0 to 2^32 - 1
   * @param file the name of the file that contains the data
   * @param offset the position of the data in that file, in bytes
   */
  public record Entry(String name, long size, long crc, String file, long offset) {
    private byte[] nameBytes() {
      return name.getBytes(StandardCharsets.UTF_8);
    }
  }

  private final List<StoredElements<String>> pieces = new ArrayList<>();
  private final ByteBuffer headers;
  private long position;

  private StoredZip(List<Entry> entries) {
    int bytes = EndRecord.LENGTH_64 + EndRecord.LOCATOR_LENGTH + EndRecord.LENGTH;
    for (Entry entry : entries) {
      bytes += LocalHeader.LENGTH + LOCAL_ZIP64 + CentralHeader.LENGTH + CENTRAL_ZIP64;
      bytes += 2 * entry.nameBytes().length;
    }
    headers = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Opens an archive.
   *
   * @param path the path of the archive, for messages
   * @param entries the entries in the order of the archive
   * @param files opens the files that contain the data
   */
  public static Input open(String path, List<Entry> entries, Io.Function<String, Input> files) {
    StoredZip zip = new StoredZip(entries);
    zip.lay(entries);
    ByteBuffer headers = zip.headers.flip();
    return new GatheredInput<>(
        path,
        file -> file.equals(HEADERS) ? new BufferInput(path, headers) : files.apply(file),
        zip.pieces);
  }

  private void lay(List<Entry> entries) {
    long[] offsets = new long[entries.size()];
    for (int i = 0; i < offsets.length; i++) {
      Entry entry = entries.get(i);
      offsets[i] = position;
      int from = headers.position();
      putLocal(entry);
      addHeaders(from);
      add(entry.file(), entry.offset(), entry.size());
    }
    long directory = position;
    int from = headers.position();
    for (int i = 0; i < offsets.length; i++) {
      putCentral(entries.get(i), offsets[i]);
    }
    putEnd(entries.size(), directory, headers.position() - from);
    addHeaders(from);
  }

  private void addHeaders(int from) {
    add(HEADERS, from, headers.position() - from);
  }

  private void add(String file, long offset, long length) {
    if (length > 0) {
      pieces.add(new StoredElements<>(file, StridedLayout.contiguous(offset, length)));
      position += length;
    }
  }

  private void putLocal(Entry entry) {
    headers.putInt(LocalHeader.SIGNATURE);
    putCommon(entry, LOCAL_ZIP64);
    headers.put(entry.nameBytes());
    putZip64(entry, LOCAL_ZIP64);
  }

  /** Appends the fields that both kinds of headers have; ZIP64 fields contain the sizes. */
  private void putCommon(Entry entry, int extra) {
    headers.putShort((short) VERSION).putShort((short) UTF_8_FLAG);
    headers.putShort((short) CentralHeader.STORED).putShort((short) 0).putShort((short) DATE);
    headers.putInt((int) entry.crc()).putInt(-1).putInt(-1);
    headers.putShort((short) entry.nameBytes().length).putShort((short) extra);
  }

  private void putZip64(Entry entry, int length) {
    headers.putShort((short) ZIP64_ID).putShort((short) (length - 4));
    headers.putLong(entry.size()).putLong(entry.size());
  }

  private void putCentral(Entry entry, long offset) {
    headers.putInt(CentralHeader.SIGNATURE).putShort((short) VERSION);
    putCommon(entry, CENTRAL_ZIP64);
    headers.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0).putInt(-1);
    headers.put(entry.nameBytes());
    putZip64(entry, CENTRAL_ZIP64);
    headers.putLong(offset);
  }

  private void putEnd(int entries, long directory, long length) {
    headers.putInt(EndRecord.SIGNATURE_64).putLong(EndRecord.LENGTH_64 - 12);
    headers.putShort((short) VERSION).putShort((short) VERSION).putInt(0).putInt(0);
    headers.putLong(entries).putLong(entries).putLong(length).putLong(directory);
    headers.putInt(EndRecord.LOCATOR_SIGNATURE).putInt(0).putLong(directory + length).putInt(1);
    headers.putInt(EndRecord.SIGNATURE).putShort((short) 0).putShort((short) 0);
    headers.putShort((short) entries).putShort((short) entries);
    headers.putInt(-1).putInt(-1).putShort((short) 0);
  }
}
