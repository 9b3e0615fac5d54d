package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;

/**
 * A file whose first bytes are read in one request, because a header takes several reads and small
 * files contain little more than a header. It must not change while it is open.
 */
public final class FileHead implements Input.Filter {
  private final Input file;
  private final int most;

  /** Null until the first read. */
  private @Nullable ByteBuffer head;

  /** Negative until the length is determined. */
  private long length = -1;

  /**
   * Wraps a file.
   *
   * @param file the file, which is closed with this one
   * @param most the maximum number of bytes that are kept in memory
   */
  public FileHead(Input file, int most) {
    this.file = file;
    this.most = most;
  }

  @Override
  public Input file() {
    return file;
  }

  @Override
  public long length() throws IOException {
    length = length < 0 ? file.length() : length;
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    int bytes = (int) Math.min(length(), most);
    if (position > bytes - dst.remaining()) {
      file.readFully(position, dst);
      return;
    }
    if (head == null) {
      ByteBuffer read = ByteBuffer.allocate(bytes);
      file.readFully(0, read);
      head = read;
    }
    dst.put(head.slice((int) position, dst.remaining()));
  }
}
