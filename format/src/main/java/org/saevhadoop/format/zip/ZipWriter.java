package org.saevhadoop.format.zip;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.OutputBytes;

/**
 * Writes a ZIP archive: stored entries with sizes and CRC-32 in the local header, and deflated
 * entries with a data descriptor. The data of stored entries begins at multiples of 64 bytes, so it
 * can be mapped into memory. ZIP64 is used only if a size or offset needs it.
 *
 * <p>The bytes of the file depend only on the entries, the level and the JVM's zlib: all times are
 * 1980-01-01 00:00, the earliest time that ZIP can represent. After an error, nothing more is
 * written, and closing the writer leaves the file incomplete.
 */
public final class ZipWriter implements Closeable {
  /** Alignment in bytes of the data of stored entries. */
  public static final int ALIGNMENT = 64;

  private static final int MAX_BYTES_AT_ONCE = 1 << 16;

  /** The smallest size or offset that needs ZIP64. */
  private static final long MAX_32 = 0xffffffffL;

  private final Output file;
  private final EntryNames allowed;
  private final ZipArchiveOutputStream zip;
  private final Set<String> names = new HashSet<>();
  private @Nullable EntryOutput open;
  private boolean failed;
  private boolean closed;

  /**
   * An entry without a time, which is written with the earliest time that ZIP can represent. If a
   * time were set, it would be converted to the time zone of the JVM, and extra fields would be
   * added.
   */
  private static final class TimelessEntry extends ZipArchiveEntry {
    TimelessEntry(String name) {
      super(name);
    }

    @Override
    public long getTime() {
      return 0;
    }
  }

  /**
   * Creates a writer; closing it closes the file.
   *
   * @param file the file, which must be empty
   * @param level the DEFLATE level, 0 to 9, or -1 for zlib's default
   * @param allowed the names that the format of the archive allows
   */
  public ZipWriter(Output file, int level, EntryNames allowed) {
    if (file.position() != 0) {
      throw new IllegalArgumentException(file.path() + ": has " + file.position() + " bytes");
    }
    this.file = file;
    this.allowed = allowed;
    zip = new ZipArchiveOutputStream(new OutputBytes(file));
    zip.setLevel(level);
  }

  /**
   * Begins an entry that is not compressed. The result must be closed before the next entry begins;
   * closing it leaves the file open.
   *
   * @param name the name, which the format must allow
   * @param size the length of its data in bytes
   * @param crc the CRC-32 of its data, from 0 to 2^32 - 1
   */
  public Output stored(String name, long size, long crc) throws IOException {
    ZipArchiveEntry entry = entry(name, size);
    entry.setMethod(ZipArchiveOutputStream.STORED);
    entry.setCrc(crc);
    entry.setAlignment(ALIGNMENT);
    return begin(entry);
  }

  /**
   * Begins an entry that is compressed. The result must be closed before the next entry begins;
   * closing it leaves the file open.
   *
   * @param name the name, which the format must allow
   * @param size the length of its data in bytes, before compression
   */
  public Output deflated(String name, long size) throws IOException {
    ZipArchiveEntry entry = entry(name, size);
    entry.setMethod(ZipArchiveOutputStream.DEFLATED);
    return begin(entry);
  }

  private ZipArchiveEntry entry(String name, long size) throws IOException {
    requireUsable();
    allowed.checkWritable(name);
    if (!names.add(name)) {
      throw new IllegalArgumentException("two entries are named \"" + name + "\"");
    }
    ZipArchiveEntry entry = new TimelessEntry(name);
    entry.setSize(size);
    return entry;
  }

  private Output begin(ZipArchiveEntry entry) throws IOException {
    failed = true; // reset when the header was written
    zip.putArchiveEntry(entry);
    failed = false;
    open = new EntryOutput(entry);
    return open;
  }

  private void requireUsable() throws IOException {
    if (failed || closed || open != null) {
      String reason = failed ? "writing failed" : closed ? "it is closed" : "another one is open";
      throw new IOException(file.path() + ": no entry can be added, " + reason);
    }
  }

  /** Writes the central directory if all entries are complete. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      if (open != null && !failed) {
        throw new IOException(file.path() + ": closed before the entry " + open.name());
      }
      if (!failed) {
        zip.finish();
      }
    }
  }

  private final class EntryOutput implements Output {
    private final ZipArchiveEntry entry;
    private final long size;
    private long position;

    EntryOutput(ZipArchiveEntry entry) {
      this.entry = entry;
      size = entry.getSize();
    }

    String name() {
      return '"' + entry.getName() + '"';
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      int length = src.remaining();
      if (open != this || failed || length > size - position) {
        throw failure(open != this ? "closed" : failed ? "it failed" : "it has " + size + " bytes");
      }
      failed = true; // reset when everything was written
      if (src.hasArray()) {
        zip.write(src.array(), src.arrayOffset() + src.position(), length);
        src.position(src.limit());
      } else {
        copy(src);
      }
      position += length;
      failed = false;
    }

    private void copy(ByteBuffer src) throws IOException {
      byte[] copy = new byte[Math.min(MAX_BYTES_AT_ONCE, src.remaining())];
      while (src.hasRemaining()) {
        int length = Math.min(copy.length, src.remaining());
        src.get(copy, 0, length);
        zip.write(copy, 0, length);
      }
    }

    @Override
    public void close() throws IOException {
      if (open != this) {
        return;
      }
      open = null;
      if (failed) {
        return;
      }
      failed = true; // reset when the entry is complete
      if (position != size) {
        throw failure("it has " + position + " bytes instead of " + size);
      }
      try {
        zip.closeArchiveEntry();
      } catch (ZipException e) { // the CRC-32 differs from the declared one
        throw new IOException(failure(String.valueOf(e.getMessage())).getMessage(), e);
      }
      // ZIP64 is announced before the data, but compression may enlarge data of just below 4 GiB
      if (size < MAX_32 && entry.getCompressedSize() >= MAX_32) {
        throw failure("its compressed size needs ZIP64, its size does not");
      }
      failed = false;
    }

    private IOException failure(String reason) {
      return new IOException(path() + ": entry " + name() + " cannot be written, " + reason);
    }
  }
}
