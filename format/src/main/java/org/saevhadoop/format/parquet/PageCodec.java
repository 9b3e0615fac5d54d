package org.saevhadoop.format.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.snappy.SnappyCompressorInputStream;

/**
 * Compression of pages; CompressionCodec of Parquet. Snappy is decoded in Java, because the Snappy
 * library extracts a native library to disk on first use, which takes longer than a lookup. ZSTD
 * would require a native library of 7 MB.
 */
enum PageCodec {
  UNCOMPRESSED(1),
  SNAPPY(22), // Best case: a copy of 64 bytes, encoded in 3.
  GZIP(1032), // Maximum of deflate according to the zlib documentation.
  LZO(0),
  BROTLI(0),
  LZ4(0),
  ZSTD(0),
  LZ4_RAW(0);

  /** Maximum distance of a copy in the output of the Snappy library, in bytes. */
  private static final int SNAPPY_WINDOW = 1 << 16;

  private final long bestRatio;

  PageCodec(long bestRatio) {
    this.bestRatio = bestRatio;
  }

  boolean readable() {
    return bestRatio > 0;
  }

  /**
   * Decompresses the remaining bytes of {@code in}.
   *
   * @param size the decompressed size according to the page, which is not trusted
   */
  ByteBuffer unpack(ByteBuffer in, int size) {
    ThriftStruct.require(
        size >= 0 && size <= 64 + in.remaining() * bestRatio, "a page unpacks to an unlikely size");
    ByteBuffer out = this == UNCOMPRESSED ? in : ByteBuffer.wrap(unpacked(in, size));
    ThriftStruct.require(out.remaining() == size, "a page does not unpack to its size");
    return out.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns at most one byte more than the size. */
  private byte[] unpacked(ByteBuffer in, int size) {
    InputStream packed =
        new ByteArrayInputStream(in.array(), in.arrayOffset() + in.position(), in.remaining());
    try (InputStream unpacked =
        this == GZIP
            ? new GZIPInputStream(packed)
            : new SnappyCompressorInputStream(packed, SNAPPY_WINDOW)) {
      return unpacked.readNBytes(size + 1);
    } catch (IOException e) {
      throw new IllegalArgumentException("a page cannot be decompressed", e);
    }
  }
}
