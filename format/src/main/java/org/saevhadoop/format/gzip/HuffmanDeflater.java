package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Deflates bytes by their frequencies alone, into one block with a dynamic Huffman code (RFC 1951,
 * section 3.2.7). The result corresponds to that of zlib's HUFFMAN_ONLY strategy, at several times
 * its speed.
 */
final class HuffmanDeflater {
  private static final int BYTES = 256;
  private static final int END = BYTES;

  /**
   * Maximum code length in bits, chosen so that four symbols and the bits of an incomplete byte fit
   * into a long; deflate allows 15.
   */
  private static final int MAX_CODE_LENGTH = 14;

  private static final int[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };
  private static final int MAX_LENGTHS_CODE_LENGTH = 7;

  /**
   * The number of distance codes: two codes of one bit each, as in zlib, although neither is used.
   */
  private static final int DISTANCES = 2;

  private static final int SYMBOLS = END + 1;
  private static final int DYNAMIC = 2;
  private static final int HEADER_BITS = 3 + 5 + 5 + 4 + 3 * 19;

  private final int[][] parts = new int[4][BYTES];
  private final int[] counts = new int[SYMBOLS];
  private final int[] lengthCounts = new int[ORDER.length];
  private final HuffmanCode code = new HuffmanCode(SYMBOLS, MAX_CODE_LENGTH);
  private final HuffmanCode lengthCode = new HuffmanCode(ORDER.length, MAX_LENGTHS_CODE_LENGTH);

  /** Code of each byte, with its length in the higher bits. */
  private final int[] table = new int[BYTES];

  private ByteBuffer out = ByteBuffer.allocate(0);
  private int at;
  private long bits;
  private int count;

  /**
   * Deflates all of {@code in}, which must be little-endian and contain at least one byte.
   *
   * @param to the little-endian destination, with room for 16 bytes beyond {@code maxBytes}
   * @param last whether the stream ends; if not, an empty stored block is appended, which ends at a
   *     byte boundary
   * @return false, with nothing written, if the result would exceed {@code maxBytes} bytes
   */
  boolean deflate(ByteBuffer in, ByteBuffer to, int maxBytes, boolean last) {
    countBytes(in);
    code.build(counts);
    countLengths();
    lengthCode.build(lengthCounts);
    long size = HEADER_BITS + bits(code, counts) + bits(lengthCode, lengthCounts);
    if ((size + 7) / Byte.SIZE + (last ? 0 : 5) > maxBytes) {
      return false;
    }
    out = to;
    at = to.position();
    bits = 0;
    count = 0;
    putHeader(last);
    putBytes(in);
    put(code.code(END), code.length(END));
    if (!last) {
      put(0, 3);
      put(0, -count & 7);
      put(0, Short.SIZE);
      put(0xffff, Short.SIZE);
    }
    put(0, -count & 7);
    out.position(at);
    return true;
  }

  private void countBytes(ByteBuffer in) {
    for (int[] part : parts) {
      Arrays.fill(part, 0);
    }
    int i = in.position();
    for (; i + Integer.BYTES <= in.limit(); i += Integer.BYTES) {
      int four = in.getInt(i);
      parts[0][four & 0xff]++;
      parts[1][four >>> 8 & 0xff]++;
      parts[2][four >>> 16 & 0xff]++;
      parts[3][four >>> 24]++;
    }
    for (; i < in.limit(); i++) {
      parts[0][in.get(i) & 0xff]++;
    }
    for (int b = 0; b < BYTES; b++) {
      counts[b] = parts[0][b] + parts[1][b] + parts[2][b] + parts[3][b];
    }
    counts[END] = 1;
  }

  private void countLengths() {
    Arrays.fill(lengthCounts, 0);
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      lengthCounts[code.length(symbol)]++;
    }
    lengthCounts[1] += DISTANCES;
  }

  private static long bits(HuffmanCode code, int[] counts) {
    long bits = 0;
    for (int symbol = 0; symbol < counts.length; symbol++) {
      bits += (long) counts[symbol] * code.length(symbol);
    }
    return bits;
  }

  private void putHeader(boolean last) {
    put(last ? 1 : 0, 1);
    put(DYNAMIC, 2);
    put(0, 5); // 257 literal and length codes.
    put(DISTANCES - 1, 5);
    put(ORDER.length - 4, 4);
    for (int symbol : ORDER) {
      put(lengthCode.length(symbol), 3);
    }
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      putLength(code.length(symbol));
    }
    for (int i = 0; i < DISTANCES; i++) {
      putLength(1);
    }
  }

  private void putLength(int length) {
    put(lengthCode.code(length), lengthCode.length(length));
  }

  private void put(int value, int length) {
    bits |= (long) value << count;
    count += length;
    out.putLong(at, bits);
    at += count >>> 3;
    bits >>>= count & ~7;
    count &= 7;
  }

  private void putBytes(ByteBuffer in) {
    for (int b = 0; b < BYTES; b++) {
      table[b] = code.length(b) << 16 | code.code(b);
    }
    int i = in.position();
    i = putFours(in, i);
    for (; i < in.limit(); i++) {
      int entry = table[in.get(i) & 0xff];
      put(entry & 0xffff, entry >>> 16);
    }
  }

  /** The state is in local variables, because this loop dominates the run time. */
  private int putFours(ByteBuffer in, int from) {
    ByteBuffer to = out;
    int[] entries = table;
    long held = bits;
    int n = count;
    int p = at;
    int i = from;
    for (int end = in.limit() - Integer.BYTES; i <= end; i += Integer.BYTES) {
      int four = in.getInt(i);
      int e0 = entries[four & 0xff];
      int e1 = entries[four >>> 8 & 0xff];
      int e2 = entries[four >>> 16 & 0xff];
      int e3 = entries[four >>> 24];
      long low = e0 & 0xffff | (long) (e1 & 0xffff) << (e0 >>> 16);
      long high = e2 & 0xffff | (long) (e3 & 0xffff) << (e2 >>> 16);
      int lowBits = (e0 >>> 16) + (e1 >>> 16);
      held |= (low | high << lowBits) << n;
      n += lowBits + (e2 >>> 16) + (e3 >>> 16);
      to.putLong(p, held);
      p += n >>> 3;
      held >>>= n & ~7;
      n &= 7;
    }
    bits = held;
    count = n;
    at = p;
    return i;
  }
}
