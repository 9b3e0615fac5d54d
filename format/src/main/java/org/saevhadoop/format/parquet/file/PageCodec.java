package org.saevhadoop.format.parquet.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;

/**
 * Compression of pages; CompressionCodec of Parquet. Snappy is decoded here, because the Snappy
 * library extracts a native library to disk on first use, which takes longer than a lookup. ZSTD
 * would require a native library of 7 MB.
 */
public enum PageCodec {
  UNCOMPRESSED(1),
  SNAPPY(22), // Best case: a copy of 64 bytes, encoded in 3.
  GZIP(1032), // Maximum of deflate according to the zlib documentation.
  LZO(0),
  BROTLI(0),
  LZ4(0),
  ZSTD(0),
  LZ4_RAW(255); // A byte of a length stands for 255 bytes.

  /** The codecs that are read. */
  static final String READ = "SNAPPY, GZIP, LZ4_RAW";

  private final long bestRatio;

  PageCodec(long bestRatio) {
    this.bestRatio = bestRatio;
  }

  public boolean readable() {
    return bestRatio > 0;
  }

  /**
   * Decompresses the remaining bytes of {@code in}.
   *
   * @param size the decompressed size according to the page, which is not trusted
   */
  public ByteBuffer unpack(ByteBuffer in, int size) {
    ThriftStruct.require(
        size >= 0 && size <= 64 + in.remaining() * bestRatio, "a page unpacks to an unlikely size");
    ByteBuffer out =
        switch (this) {
          case UNCOMPRESSED -> in;
          case SNAPPY -> ByteBuffer.wrap(snappy(in.order(ByteOrder.LITTLE_ENDIAN), size));
          case GZIP -> ByteBuffer.wrap(gzip(in, size));
          case LZ4_RAW -> ByteBuffer.wrap(lz4(in, size));
          default -> throw new IllegalArgumentException("pages are packed with " + this);
        };
    ThriftStruct.require(out.remaining() == size, "a page does not unpack to its size");
    return out.order(ByteOrder.LITTLE_ENDIAN);
  }

  // format_description.txt of google/snappy.
  private static byte[] snappy(ByteBuffer in, int size) {
    ThriftStruct.require(
        ThriftStruct.varint(in) == size, "a snappy page has another size than in its header");
    byte[] out = new byte[size];
    int at = 0;
    while (in.hasRemaining()) {
      int tag = in.get() & 0xff;
      int length = (tag >> 2) + 1;
      if ((tag & 3) == 0) {
        length = length > 60 ? longLiteral(in, length - 60) : length;
        ThriftStruct.require(length <= size - at, "a snappy literal is too long");
        in.get(out, at, length);
      } else {
        int back;
        switch (tag & 3) {
          case 1 -> {
            length = (tag >> 2 & 7) + 4;
            back = (tag >> 5) << 8 | in.get() & 0xff;
          }
          case 2 -> back = in.getShort() & 0xffff;
          default -> back = in.getInt();
        }
        ThriftStruct.require(
            back > 0 && back <= at && length <= size - at, "a snappy copy is wrong");
        copy(out, at, back, length);
      }
      at += length;
    }
    ThriftStruct.require(at == size, "a snappy page is too short");
    return out;
  }

  private static int longLiteral(ByteBuffer in, int bytes) {
    int length = 0;
    for (int i = 0; i < bytes; i++) {
      length |= (in.get() & 0xff) << 8 * i;
    }
    ThriftStruct.require(length >= 0 && length < Integer.MAX_VALUE, "a snappy literal is too long");
    return length + 1;
  }

  // lz4_Block_format.md of lz4/lz4.
  private static byte[] lz4(ByteBuffer in, int size) {
    byte[] out = new byte[size];
    int at = 0;
    while (in.hasRemaining()) {
      int token = in.get() & 0xff;
      int literal = lz4Length(in, token >> 4, size);
      ThriftStruct.require(literal <= size - at, "an lz4 literal is too long");
      in.get(out, at, literal);
      at += literal;
      if (in.hasRemaining()) { // The last sequence is a literal.
        int back = in.get() & 0xff | (in.get() & 0xff) << 8;
        int length = lz4Length(in, token & 15, size) + 4;
        ThriftStruct.require(back > 0 && back <= at && length <= size - at, "an lz4 copy is wrong");
        copy(out, at, back, length);
        at += length;
      }
    }
    ThriftStruct.require(at == size, "an lz4 page is too short");
    return out;
  }

  private static int lz4Length(ByteBuffer in, int nibble, int max) {
    int length = nibble;
    for (int more = nibble == 15 ? 255 : 0; more == 255; ) {
      more = in.get() & 0xff;
      length += more;
      ThriftStruct.require(length <= max, "an lz4 length is too long");
    }
    return length;
  }

  /** Copies bytes from before a position to it; the ranges may overlap. */
  private static void copy(byte[] out, int at, int back, int length) {
    if (back >= length) {
      System.arraycopy(out, at - back, out, at, length);
      return;
    }
    for (int i = at; i < at + length; i++) {
      out[i] = out[i - back];
    }
  }

  /** Returns at most one byte more than the size. */
  private static byte[] gzip(ByteBuffer in, int size) {
    InputStream packed =
        new ByteArrayInputStream(in.array(), in.arrayOffset() + in.position(), in.remaining());
    try (InputStream unpacked = new GZIPInputStream(packed)) {
      return unpacked.readNBytes(size + 1);
    } catch (IOException e) {
      throw new IllegalArgumentException("a gzip page is broken", e);
    }
  }
}
