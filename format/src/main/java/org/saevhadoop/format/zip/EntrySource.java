package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The data of an entry, inflated if it is compressed. The size and CRC-32 are checked before the
 * end is reported; after an error, every read fails. At most one byte beyond the declared size is
 * inflated.
 *
 * <p>Reading is fastest with a direct buffer of at least 64 KiB.
 */
final class EntrySource implements ByteSource {
  private static final int BUFFER = 1 << 16;

  private final Input file;
  private final ArchiveEntry entry;
  private final long end;
  private final @Nullable Inflater inflater;
  private final ByteBuffer compressed;
  private final ByteBuffer beyond = ByteBuffer.allocate(1);
  private final CRC32 crc = new CRC32();
  private long next;
  private long count;

  EntrySource(Input file, ArchiveEntry entry) {
    this.file = file;
    this.entry = entry;
    next = entry.dataOffset();
    end = next + entry.compressedSize();
    inflater = entry.stored() ? null : new Inflater(true);
    int capacity = entry.stored() ? 0 : (int) Math.min(BUFFER, entry.compressedSize());
    compressed = Input.buffer(capacity).limit(0);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    int read = inflater == null ? readStored(dst) : readInflated(inflater, dst);
    if (read == 0) {
      checkEnd();
      return -1;
    }
    return read;
  }

  private int readStored(ByteBuffer dst) throws IOException {
    int read = (int) Math.min(dst.remaining(), end - next);
    ByteBuffer part = dst.slice(dst.position(), read);
    file.readFully(next, part);
    dst.position(dst.position() + read);
    add(part.flip());
    next += read;
    return read;
  }

  /** Returns the number of bytes read; 0 at the end of the data. */
  private int readInflated(Inflater inflater, ByteBuffer dst) throws IOException {
    while (!inflater.finished()) {
      boolean isComplete = count == entry.size();
      ByteBuffer target =
          isComplete
              ? beyond.clear()
              : dst.slice(dst.position(), (int) Math.min(dst.remaining(), entry.size() - count));
      int read = inflate(inflater, target);
      ZipError.SIZE_MISMATCH.check(
          !isComplete || read == 0,
          path(),
          "entry \"%s\" inflates to more than %d bytes, near byte %d",
          shown(),
          entry.size(),
          position());
      if (read > 0) {
        dst.position(dst.position() + read);
        add(target.flip());
        return read;
      }
      if (!inflater.finished()) {
        inflater.setInput(more());
      }
    }
    return 0;
  }

  /** Reads more data, after the inflater has consumed all data that was read before. */
  private ByteBuffer more() throws IOException {
    ZipError.BAD_DATA.check(
        next < end, path(), "the data of entry \"%s\" is truncated, at byte %d", shown(), end);
    ByteBuffer more = compressed.duplicate().clear();
    file.readFully(next, more.limit((int) Math.min(more.capacity(), end - next)));
    compressed.limit(more.limit()).position(0);
    next += more.limit();
    return compressed;
  }

  private int inflate(Inflater inflater, ByteBuffer target) throws FormatException {
    try {
      return inflater.inflate(target);
    } catch (DataFormatException e) {
      throw ZipError.BAD_DATA
          .in(
              path(),
              "the data of entry \"%s\" is invalid near byte %d: %s",
              shown(),
              position(),
              e.getMessage())
          .causedBy(e);
    }
  }

  private void add(ByteBuffer data) {
    count += data.remaining();
    crc.update(data);
  }

  private void checkEnd() throws FormatException {
    ZipError.SIZE_MISMATCH.check(
        count == entry.size(),
        path(),
        "entry \"%s\" inflates to %d bytes (expected %d)",
        shown(),
        count,
        entry.size());
    ZipError.BAD_DATA.check(
        position() == end,
        path(),
        "the data of entry \"%s\" ends at byte %d (expected at byte %d)",
        shown(),
        position(),
        end);
    entry.check(path(), crc.getValue());
  }

  /** Returns the position in the file of the first byte that was not consumed. */
  private long position() {
    return next - compressed.remaining();
  }

  private String shown() {
    return EntryNames.shown(entry.name());
  }

  @Override
  public long fileBytesRead() {
    return position() - entry.dataOffset();
  }

  /** Leaves the file open. */
  @Override
  public void close() {
    if (inflater != null) {
      inflater.end();
    }
  }
}
