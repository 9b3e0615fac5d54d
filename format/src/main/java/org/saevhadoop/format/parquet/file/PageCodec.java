package org.saevhadoop.format.parquet.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import org.saevhadoop.format.codec.Lz4Block;
import org.saevhadoop.format.codec.Zstd;

/**
 * Compression of pages; Parquet's CompressionCodec. Snappy is decoded here, because the Snappy
 * library extracts a native library to disk on first use, which takes longer than a lookup in an
 * index. ZSTD can be read if its library is available.
 */
public enum PageCodec {
  UNCOMPRESSED(1),
  SNAPPY(22), // best case: a copy of 64 bytes, encoded in 3
  GZIP(1032), // the maximum of deflate according to the zlib documentation
  LZO(0),
  BROTLI(0),
  LZ4(0),
  ZSTD(Zstd.BEST_RATIO),
  LZ4_RAW(Lz4Block.BEST_RATIO);

  /** The codecs that can be read, for messages. */
  static final String READ = "SNAPPY, GZIP, LZ4_RAW, ZSTD";

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
          case GZIP -> ByteBuffer.wrap(stream(in, size, GZIPInputStream::new));
          case LZ4_RAW -> ByteBuffer.wrap(lz4(in, size));
          case ZSTD -> ByteBuffer.wrap(stream(in, size, Zstd::open));
          default -> throw new IllegalArgumentException("pages are packed with " + this);
        };
    ThriftStruct.require(out.remaining() == size, "a page does not unpack to its size");
    return out.order(ByteOrder.LITTLE_ENDIAN);
  }

  // see format_description.txt of google/snappy
  private static byte[] snappy(ByteBuffer in, int size) {
    ThriftStruct.require(
        ThriftStruct.varint(in) == size, "the size of a snappy page differs from its header");
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
        Lz4Block.copy(out, at, back, length);
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

  private static byte[] lz4(ByteBuffer in, int size) {
    byte[] out = new byte[size];
    ThriftStruct.require(Lz4Block.unpack(in, out, 0, 0, size) == size, "an lz4 page is too short");
    return out;
  }

  /** Opens a stream that decompresses another stream. */
  @FunctionalInterface
  private interface Opener {
    InputStream open(InputStream packed) throws IOException;
  }

  /** Returns the decompressed bytes, but at most {@code size + 1}. */
  private byte[] stream(ByteBuffer in, int size, Opener opener) {
    InputStream packed =
        new ByteArrayInputStream(in.array(), in.arrayOffset() + in.position(), in.remaining());
    try (InputStream unpacked = opener.open(packed)) {
      return unpacked.readNBytes(size + 1);
    } catch (IOException e) {
      throw new IllegalArgumentException("a page in " + this + " is broken", e);
    }
  }
}
