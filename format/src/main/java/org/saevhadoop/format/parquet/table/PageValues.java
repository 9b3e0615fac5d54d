package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.saevhadoop.format.parquet.file.PageReader;
import org.saevhadoop.format.parquet.file.RunLengthDecoder;
import org.saevhadoop.format.parquet.file.ThriftStruct;

/**
 * Decodes the values of a page as little-endian numbers of one width.
 *
 * @param width the number of bytes of a value; 0 for booleans, each of which becomes a byte
 */
record PageValues(int width) {
  static final int DELTA_BINARY_PACKED = 5;
  static final int DELTA_BYTE_ARRAY = 7;
  static final int BYTE_STREAM_SPLIT = 9;

  /** Returns the name of an unsupported encoding; empty if the encoding is supported. */
  Optional<String> unread(int encoding) {
    boolean isRead =
        switch (encoding) {
          case PageReader.PLAIN, PageReader.PLAIN_DICTIONARY, PageReader.RLE_DICTIONARY -> true;
          case PageReader.RLE -> width == 0;
          case DELTA_BINARY_PACKED -> width == 4 || width == 8;
          case DELTA_BYTE_ARRAY, BYTE_STREAM_SPLIT -> width > 0;
          default -> false;
        };
    return isRead ? Optional.empty() : Optional.of(name(encoding));
  }

  static String name(int encoding) {
    return switch (encoding) {
      case 3 -> "RLE";
      case 4 -> "BIT_PACKED";
      case DELTA_BINARY_PACKED -> "DELTA_BINARY_PACKED";
      case 6 -> "DELTA_LENGTH_BYTE_ARRAY";
      case DELTA_BYTE_ARRAY -> "DELTA_BYTE_ARRAY";
      case BYTE_STREAM_SPLIT -> "BYTE_STREAM_SPLIT";
      default -> "encoding " + encoding;
    };
  }

  /** Returns the number of bytes of decoded values. */
  long bytes(int count) {
    return (long) Math.max(1, width) * count;
  }

  /** Returns the memory required to decode values, in bytes. */
  long memory(int encoding, int count) {
    return isInPlace(encoding)
        ? 0
        : bytes(count) + (encoding == DELTA_BYTE_ARRAY ? 2L * Integer.BYTES * count : 0);
  }

  /** Returns whether the bytes of the page are identical to the decoded values. */
  private boolean isInPlace(int encoding) {
    return encoding == PageReader.PLAIN && width > 0;
  }

  /**
   * Decodes values.
   *
   * @param dictionary the decoded values of the dictionary; empty if there is none
   */
  ByteBuffer decode(int encoding, ByteBuffer in, int count, ByteBuffer dictionary) {
    if (isInPlace(encoding)) {
      ThriftStruct.require(in.remaining() >= bytes(count), "a page has too few values");
      return in.slice(in.position(), (int) bytes(count)).order(ByteOrder.LITTLE_ENDIAN);
    }
    ByteBuffer out =
        ByteBuffer.allocate(Math.toIntExact(bytes(count))).order(ByteOrder.LITTLE_ENDIAN);
    switch (encoding) {
      case PageReader.PLAIN -> bits(in, out);
      case PageReader.RLE -> {
        RunLengthDecoder levels = PageReader.levels(in, 1, PageReader.RLE);
        while (out.hasRemaining()) {
          out.put((byte) levels.next());
        }
      }
      case DELTA_BINARY_PACKED -> DeltaDecoder.read(in, count, width, out);
      case DELTA_BYTE_ARRAY -> prefixed(in, count, out);
      case BYTE_STREAM_SPLIT -> split(in, count, out);
      default -> indexed(in, count, dictionary, out);
    }
    return out.flip();
  }

  private static void bits(ByteBuffer in, ByteBuffer out) {
    for (int bits = 0, i = 0; out.hasRemaining(); i++) {
      bits = i % 8 == 0 ? in.get() : bits >> 1;
      out.put((byte) (bits & 1));
    }
  }

  private void split(ByteBuffer in, int count, ByteBuffer out) {
    ThriftStruct.require(in.remaining() >= bytes(count), "a page has too few values");
    int start = in.position();
    for (int i = 0; i < count; i++) {
      for (int b = 0; b < width; b++) {
        out.put(in.get(start + b * count + i));
      }
    }
  }

  private void indexed(ByteBuffer in, int count, ByteBuffer dictionary, ByteBuffer out) {
    int each = Math.max(1, width);
    int size = dictionary.limit() / each;
    RunLengthDecoder indices = new RunLengthDecoder(in, count == 0 ? 0 : in.get());
    byte[] values = dictionary.array();
    for (int i = 0; i < count; i++) {
      int index = indices.next();
      ThriftStruct.require(index >= 0 && index < size, "a value is not in the dictionary");
      if (each == 4) {
        out.putInt(dictionary.getInt(index * 4));
      } else {
        out.put(values, index * each, each);
      }
    }
  }

  /** DELTA_BYTE_ARRAY: the length of the prefix shared with the previous value, and the suffix. */
  private void prefixed(ByteBuffer in, int count, ByteBuffer out) {
    ByteBuffer prefixes =
        ByteBuffer.allocate(Math.multiplyExact(count, 4)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer suffixes =
        ByteBuffer.allocate(Math.multiplyExact(count, 4)).order(ByteOrder.LITTLE_ENDIAN);
    DeltaDecoder.read(in, count, 4, prefixes);
    DeltaDecoder.read(in, count, 4, suffixes);
    byte[] value = new byte[width];
    for (int i = 0; i < count; i++) {
      int prefix = prefixes.getInt(i * 4);
      int suffix = suffixes.getInt(i * 4);
      ThriftStruct.require(
          prefix >= 0 && suffix >= 0 && (long) prefix + suffix == width && (i > 0 || prefix == 0),
          "the length of a value does not match its type");
      in.get(value, prefix, suffix);
      out.put(value);
    }
  }
}
