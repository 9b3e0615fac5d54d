package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/** Decoder of DELTA_BINARY_PACKED: differences of integers in blocks of miniblocks. */
final class DeltaDecoder {
  private static final int MAX_BLOCK = 1 << 16;

  private DeltaDecoder() {}

  /**
   * Decodes integers.
   *
   * @param count the number of integers, which must match the page
   * @param width the number of bytes of each integer, 4 or 8
   */
  static void read(ByteBuffer in, int count, int width, ByteBuffer out) {
    long block = ThriftStruct.varint(in);
    long miniblocks = ThriftStruct.varint(in);
    long total = ThriftStruct.varint(in);
    ThriftStruct.require(
        block > 0
            && block <= MAX_BLOCK
            && miniblocks > 0
            && block % miniblocks == 0
            && block / miniblocks % 8 == 0,
        "a block of differences has an impossible size");
    ThriftStruct.require(
        total == count, "a page does not have the number of values that it states");
    int[] widths = new int[(int) miniblocks];
    int each = (int) (block / miniblocks);
    long value = zigzag(in);
    int done = 0;
    if (count > 0) {
      put(out, width, value);
      done = 1;
    }
    while (done < count) {
      long min = zigzag(in);
      Arrays.setAll(widths, i -> in.get() & 0xff);
      for (int m = 0; m < widths.length && done < count; m++) {
        ThriftStruct.require(widths[m] <= Long.SIZE, "differences of more than 64 bits");
        ByteBuffer packed = in.slice();
        int bytes = each / 8 * widths[m];
        int values = Math.min(each, count - done);
        for (int i = 0; i < values; i++) {
          value += min + bits(packed, (long) i * widths[m], widths[m]);
          put(out, width, value);
        }
        done += values;
        in.position(Math.min(in.limit(), in.position() + bytes));
      }
    }
  }

  private static long bits(ByteBuffer packed, long from, int width) {
    long bits = 0;
    for (int have = 0; have < width; ) {
      int at = (int) (from + have >>> 3);
      int skip = (int) (from + have & 7);
      int take = Math.min(8 - skip, width - have);
      bits |= ((packed.get(at) & 0xffL) >>> skip & (1L << take) - 1) << have;
      have += take;
    }
    return bits;
  }

  private static void put(ByteBuffer out, int width, long value) {
    if (width == 4) {
      out.putInt((int) value);
    } else {
      out.putLong(value);
    }
  }

  private static long zigzag(ByteBuffer in) {
    long n = ThriftStruct.varint(in);
    return n >>> 1 ^ -(n & 1);
  }
}
