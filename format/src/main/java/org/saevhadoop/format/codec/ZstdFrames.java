package org.saevhadoop.format.codec;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;

/** The content of ZSTD frames. This class cannot be linked without the library. */
final class ZstdFrames extends InputStream {
  private final ZstdInputStreamNoFinalizer in;

  ZstdFrames(InputStream in) throws IOException {
    this.in = new ZstdInputStreamNoFinalizer(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    try {
      return in.read(bytes, offset, count);
    } catch (ZstdIOException e) {
      throw new IllegalArgumentException("a zstd frame is corrupt: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
