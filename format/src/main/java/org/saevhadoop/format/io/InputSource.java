package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A part of a file up to its end.
 *
 * <p>Skipping reads nothing.
 */
public final class InputSource implements ByteSource {
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
  public InputSource(Input file, String path, long offset) throws IOException {
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
