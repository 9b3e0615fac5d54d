package org.saevhadoop.format.parquet.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;

/** Compression of written pages, with the codecs that Java provides. */
public enum PageCompression {
  NONE(0),
  GZIP(2);

  private final int code;

  PageCompression(int code) {
    this.code = code;
  }

  /** Returns the number of the codec in CompressionCodec of parquet.thrift. */
  int code() {
    return code;
  }

  /** Returns the compressed bytes of a page. */
  ByteBuffer compress(ByteBuffer page) {
    if (this == NONE) {
      return page;
    }
    byte[] bytes = new byte[page.remaining()];
    page.get(bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory can be written to", e);
    }
    return ByteBuffer.wrap(out.toByteArray());
  }
}
