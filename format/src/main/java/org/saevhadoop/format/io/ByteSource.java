package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that can only be read sequentially, such as the content of a gzip file. */
public interface ByteSource extends Closeable {
  String path();

  /**
   * Reads at least one byte if {@code dst} has room.
   *
   * @return the number of bytes read, or -1 at the end, after all available checks have been
   *     performed
   */
  int read(ByteBuffer dst) throws IOException;

  /**
   * Skips bytes without reading them, if the source supports it.
   *
   * @return the number of bytes skipped, which may be 0
   */
  default long skip(long bytes) throws IOException {
    return 0;
  }

  /**
   * Returns the number of bytes of the file read so far, before decompression; used to report
   * progress.
   */
  long fileBytesRead();

  /**
   * The bytes of a file from an offset to the end.
   *
   * <p>Skipping reads nothing.
   */
  final class OfFile implements ByteSource {
    private final Input file;
    private final String path;
    private final long offset;
    private final long length;
    private long position;

    /**
     * Creates a source that begins at an offset.
     *
     * @param file the file, which is closed with the source
     * @param path the path for messages
     */
    public OfFile(Input file, String path, long offset) throws IOException {
      this.file = file;
      this.path = path;
      this.offset = offset;
      this.length = file.length();
      this.position = offset;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
      if (position == length) {
        return dst.hasRemaining() ? -1 : 0;
      }
      int count = (int) Math.min(dst.remaining(), length - position);
      file.readFully(position, dst.slice(dst.position(), count));
      dst.position(dst.position() + count);
      position += count;
      return count;
    }

    @Override
    public long skip(long bytes) {
      long count = Math.min(bytes, length - position);
      position += count;
      return count;
    }

    @Override
    public long fileBytesRead() {
      return position - offset;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
