package org.saevhadoop.format.attributes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The content of a gzip file. */
final class GunzipSource implements ByteSource {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Input file;
  private final FileStream stream;
  private GZIPInputStream gzip;

  GunzipSource(Input file) throws IOException {
    this.file = file;
    this.stream = new FileStream(file);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    try {
      if (gzip == null) {
        gzip = new GZIPInputStream(stream, BUFFER_BYTES);
      }
      int n = gzip.read(dst.array(), dst.arrayOffset() + dst.position(), dst.remaining());
      dst.position(dst.position() + Math.max(0, n));
      return n;
    } catch (ZipException | EOFException e) {
      throw FormatException.of(
          path(),
          "is no whole gzip file, near byte %d%s",
          stream.position,
          e.getMessage() == null ? "" : ": " + e.getMessage());
    }
  }

  @Override
  public long fileBytesRead() {
    return stream.position;
  }

  @Override
  public void close() throws IOException {
    try (file) {
      if (gzip != null) {
        gzip.close();
      }
    }
  }

  private static final class FileStream extends InputStream {
    private final Input file;
    private final long length;
    private long position;

    FileStream(Input file) throws IOException {
      this.file = file;
      this.length = file.length();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      int n = (int) Math.min(count, length - position);
      if (n == 0 && count > 0) {
        return -1;
      }
      file.readFully(position, ByteBuffer.wrap(bytes, offset, n));
      position += n;
      return n;
    }

    // where it says 0, the JDK takes the first member for the whole file
    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, length - position);
    }
  }
}
