package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.saevhadoop.format.io.Input;

/**
 * The CRC-32 of the bytes that are read from a file, in any order and possibly more than once. Each
 * contiguous range has its own CRC-32; the checksums of adjacent ranges are combined without
 * reading the bytes again.
 */
public final class ReadChecksum {
  /**
   * The maximum number of ranges; if there are more, the check is abandoned, because it would take
   * too much memory.
   */
  private static final int MAX_RANGES = 1024;

  private static final int READ_BYTES = 1 << 16;

  /**
   * Generator polynomial of CRC-32 without its highest term; bit 31 is the coefficient of the
   * lowest power.
   */
  private static final int POLYNOMIAL = 0xedb88320;

  private static final int ONE = 1 << 31;
  private static final int X_TO_8 = 1 << 23;

  private static final class Range {
    private final CRC32 crc = new CRC32();
    private long end;
  }

  private final TreeMap<Long, Range> ranges = new TreeMap<>();
  private long bytes;
  private boolean scattered;

  /**
   * Adds bytes that were read; bytes that were already added are ignored.
   *
   * @param position the position in the file of the first byte
   */
  public void add(long position, ByteBuffer data) {
    long at = position;
    while (data.hasRemaining() && !scattered) {
      Map.Entry<Long, Range> before = ranges.floorEntry(at);
      long known = before == null ? at : before.getValue().end;
      if (known > at) {
        int skipped = (int) Math.min(data.remaining(), known - at);
        data.position(data.position() + skipped);
        at += skipped;
        continue;
      }
      Long next = ranges.higherKey(at);
      int some = next == null ? data.remaining() : (int) Math.min(data.remaining(), next - at);
      Range range = before != null && known == at ? before.getValue() : new Range();
      if (range.end == 0) {
        ranges.put(at, range);
        scattered = ranges.size() > MAX_RANGES;
      }
      range.crc.update(data.slice(data.position(), some));
      data.position(data.position() + some);
      at += some;
      range.end = at;
      bytes += some;
    }
  }

  /** Returns the number of bytes that were read, each counted once. */
  public long bytes() {
    return scattered ? 0 : bytes;
  }

  /** Returns whether all bytes of a range were read. */
  public boolean covers(long begin, long end) {
    long at = begin;
    while (at < end && !scattered) {
      Map.Entry<Long, Range> range = ranges.floorEntry(at);
      if (range == null || range.getValue().end <= at) {
        return false;
      }
      at = range.getValue().end;
    }
    return !scattered;
  }

  /**
   * Compares the CRC-32 of an entry with the declared CRC-32, after reading the bytes that were not
   * added.
   *
   * @param file the file; all bytes that were added must belong to the entry
   * @throws org.saevhadoop.format.io.FormatException if the CRC-32 differs
   */
  public void check(Input file, ArchiveEntry entry) throws IOException {
    long end = entry.dataOffset() + entry.size();
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(READ_BYTES, entry.size()));
    int crc = 0;
    for (long at = entry.dataOffset(); at < end; ) {
      Range range = ranges.get(at);
      if (range == null) {
        Long next = ranges.higherKey(at);
        long gap = (next == null ? end : next) - at;
        file.readFully(at, buffer.clear().limit((int) Math.min(buffer.capacity(), gap)));
        range = new Range();
        range.end = at + buffer.limit();
        range.crc.update(buffer.flip());
      }
      crc = multiply(crc, power(range.end - at)) ^ (int) range.crc.getValue();
      at = range.end;
    }
    entry.check(file.path(), Integer.toUnsignedLong(crc));
  }

  /**
   * Returns x^(8n) modulo the polynomial: the factor by which a CRC-32 is multiplied if n bytes
   * follow.
   */
  private static int power(long n) {
    int result = ONE;
    int square = X_TO_8;
    for (long left = n; left > 0; left >>= 1) {
      if ((left & 1) != 0) {
        result = multiply(result, square);
      }
      square = multiply(square, square);
    }
    return result;
  }

  /** Returns the product of two polynomials modulo the polynomial of CRC-32. */
  private static int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int bit = ONE; bit != 0; bit >>>= 1) {
      product ^= (a & bit) != 0 ? shifted : 0;
      shifted = (shifted >>> 1) ^ ((shifted & 1) != 0 ? POLYNOMIAL : 0);
    }
    return product;
  }
}
