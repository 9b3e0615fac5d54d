package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.PageReader;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/**
 * The strings of a page, held in memory as bytes only.
 *
 * @param bytes the bytes of all strings, one after another
 * @param ends the end offset of each string in the bytes
 */
record PageTexts(byte[] bytes, int[] ends) {
  static final PageTexts NONE = new PageTexts(new byte[0], new int[0]);

  /** The character with which a lenient decoder replaces bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  private static final int DELTA_LENGTH_BYTE_ARRAY = 6;

  /** Returns whether an encoding, other than a dictionary encoding, is supported for strings. */
  static boolean isRead(int encoding) {
    return encoding == PageReader.PLAIN
        || encoding == DELTA_LENGTH_BYTE_ARRAY
        || encoding == PageValues.DELTA_BYTE_ARRAY;
  }

  /** Reads the strings of a data page, whose memory is charged while the page is read. */
  static PageTexts of(ByteBuffer in, int encoding, int count, PageReader pages) {
    pages.take(in.remaining() + 3L * Integer.BYTES * count);
    return switch (encoding) {
      case PageReader.PLAIN -> plain(in, count);
      case DELTA_LENGTH_BYTE_ARRAY -> {
        ByteBuffer lengths = integers(in, count);
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        int[] ends = new int[count];
        for (int i = 0, end = 0; i < count; i++) {
          end = end(end, lengths.getInt(), bytes.length);
          ends[i] = end;
        }
        yield new PageTexts(bytes, ends);
      }
      case PageValues.DELTA_BYTE_ARRAY -> prefixed(in, count, pages);
      default -> throw new IllegalArgumentException("texts are in " + PageValues.name(encoding));
    };
  }

  /** Reads the strings of a dictionary, which stay in memory. */
  static PageTexts ofDictionary(ByteBuffer in, int count, MemoryAccount memory) {
    memory.take(in.remaining() + (long) Integer.BYTES * count);
    return plain(in, count);
  }

  private static PageTexts plain(ByteBuffer in, int count) {
    ThriftStruct.require(
        count <= in.remaining() / Integer.BYTES, "a page has fewer texts than it states");
    byte[] bytes = new byte[in.remaining() - count * Integer.BYTES];
    int[] ends = new int[count];
    for (int i = 0, end = 0; i < count; i++) {
      int begin = end;
      end = end(end, in.getInt(), bytes.length);
      in.get(bytes, begin, end - begin);
      ends[i] = end;
    }
    return new PageTexts(bytes, ends);
  }

  /** DELTA_BYTE_ARRAY: the length of the prefix shared with the previous string, and the suffix. */
  private static PageTexts prefixed(ByteBuffer in, int count, PageReader pages) {
    ByteBuffer prefixes = integers(in, count);
    ByteBuffer suffixes = integers(in, count);
    int[] ends = new int[count];
    long all = 0;
    for (int i = 0, last = 0; i < count; i++) {
      int prefix = prefixes.getInt(i * Integer.BYTES);
      int suffix = suffixes.getInt(i * Integer.BYTES);
      ThriftStruct.require(
          prefix >= 0 && prefix <= last && suffix >= 0, "a text has an impossible length");
      last = Math.addExact(prefix, suffix);
      all += last;
      ThriftStruct.require(all <= Integer.MAX_VALUE / 2, "the texts of a page are too long");
      ends[i] = (int) all;
    }
    pages.take(all);
    byte[] bytes = new byte[(int) all];
    for (int i = 0, begin = 0; i < count; begin = ends[i], i++) {
      int prefix = prefixes.getInt(i * Integer.BYTES);
      int before = i == 0 ? 0 : i == 1 ? 0 : ends[i - 2];
      System.arraycopy(bytes, before, bytes, begin, prefix);
      in.get(bytes, begin + prefix, suffixes.getInt(i * Integer.BYTES));
    }
    return new PageTexts(bytes, ends);
  }

  private static ByteBuffer integers(ByteBuffer in, int count) {
    ByteBuffer read =
        ByteBuffer.allocate(Math.multiplyExact(count, Integer.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    DeltaDecoder.read(in, count, Integer.BYTES, read);
    return read.flip();
  }

  private static int end(int begin, int length, int limit) {
    ThriftStruct.require(length >= 0 && length <= limit - begin, "a text is too long");
    return begin + length;
  }

  /**
   * Returns a text.
   *
   * @throws CharacterCodingException if the bytes are not UTF-8
   */
  String get(int index, Charset charset) throws CharacterCodingException {
    ThriftStruct.require(index >= 0 && index < ends.length, "a value is not in the dictionary");
    int begin = index == 0 ? 0 : ends[index - 1];
    int length = ends[index] - begin;
    String text = new String(bytes, begin, length, charset);
    return text.indexOf(REPLACEMENT) < 0
        ? text
        : StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes, begin, length))
            .toString();
  }
}
