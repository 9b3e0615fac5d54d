package org.saevhadoop.format.pickle.read;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.saevhadoop.format.io.ByteSource;

/** A stream as a source, for tests. */
record StreamSource(String path, InputStream stream) implements ByteSource {
  private static final int BUFFER = 1 << 16;

  /** A file, inflated where it is gzip. */
  static StreamSource of(Path file) throws IOException {
    InputStream stream = Files.newInputStream(file);
    int first = stream.read();
    int second = stream.read();
    stream.close();
    InputStream plain = Files.newInputStream(file);
    boolean isGzip = first == 0x1f && second == 0x8b;
    return new StreamSource(file.toString(), isGzip ? new GZIPInputStream(plain, BUFFER) : plain);
  }

  static StreamSource of(byte[] bytes) {
    return new StreamSource("test", new ByteArrayInputStream(bytes));
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    byte[] bytes = new byte[Math.min(dst.remaining(), BUFFER)];
    int count = stream.read(bytes);
    if (count > 0) {
      dst.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public long fileBytesRead() {
    return 0;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
