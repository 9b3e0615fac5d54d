package org.saevhadoop.format.staged;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * A staged file that is read in whole units, which are compared with their checksums. Units that a
 * read covers completely are read directly into the buffer of the caller; a few of the other units,
 * the most recently used, are kept in memory.
 */
final class CheckedUnits implements Input.Filter {
  private static final int MAX_KEPT = 4;

  private final Input file;
  private final StagedFile recorded;
  private final LongFunction<FormatException> damage;
  private final CRC32C crc = new CRC32C();
  private final Map<Long, ByteBuffer> kept = new LinkedHashMap<>(8, 0.75f, true);

  CheckedUnits(Input file, StagedFile recorded, LongFunction<FormatException> damage) {
    this.file = file;
    this.recorded = recorded;
    this.damage = damage;
  }

  @Override
  public Input file() {
    return file;
  }

  @Override
  public long length() {
    return recorded.length();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    long unit = recorded.unit();
    long at = position;
    long end = position + dst.remaining();
    while (at < end) {
      long index = at / unit;
      long from = index * unit;
      if (at == from && unitEnd(index) <= end && !kept.containsKey(index)) {
        at += readWhole(index, end, dst);
      } else {
        ByteBuffer bytes = unit(index);
        int some = (int) (Math.min(end, unitEnd(index)) - at);
        dst.put(bytes.slice((int) (at - from), some));
        at += some;
      }
    }
  }

  private long unitEnd(long index) {
    return Math.min(recorded.length(), (index + 1) * recorded.unit());
  }

  /**
   * Reads a unit and the following units that fit in the buffer, and returns their total length.
   */
  private long readWhole(long index, long end, ByteBuffer dst) throws IOException {
    long unit = recorded.unit();
    long from = index * unit;
    long to = end >= recorded.length() ? recorded.length() : end / unit * unit;
    int length = (int) (to - from);
    ByteBuffer bytes = dst.slice(dst.position(), length);
    read(from, bytes);
    for (long i = index; i * unit < to; i++) {
      check(i, bytes.slice((int) (i * unit - from), (int) (unitEnd(i) - i * unit)));
    }
    dst.position(dst.position() + length);
    return length;
  }

  private ByteBuffer unit(long index) throws IOException {
    ByteBuffer known = kept.get(index);
    if (known != null) {
      return known;
    }
    ByteBuffer bytes = null;
    if (kept.size() == MAX_KEPT) {
      Long oldest = kept.keySet().iterator().next();
      bytes = kept.remove(oldest);
    }
    long from = index * recorded.unit();
    int length = (int) (unitEnd(index) - from);
    if (bytes == null || bytes.capacity() < length) {
      bytes = ByteBuffer.allocate(length);
    }
    bytes.clear().limit(length);
    read(from, bytes);
    check(index, bytes.flip());
    kept.put(index, bytes);
    return bytes;
  }

  private void read(long from, ByteBuffer bytes) throws IOException {
    try {
      file.readFully(from, bytes);
    } catch (FormatException e) {
      if (e.kind() == FileError.TRUNCATED) {
        throw damage.apply(from).causedBy(e);
      }
      throw e;
    }
  }

  private void check(long index, ByteBuffer bytes) throws FormatException {
    crc.reset();
    crc.update(bytes.duplicate());
    if ((int) crc.getValue() != recorded.checksum((int) index)) {
      throw damage.apply(index * recorded.unit());
    }
  }
}
