package org.saevhadoop.format.gzip;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Input;

/** The bytes of a file, which are read into a buffer and consumed from it. */
final class CompressedBytes implements Closeable {
  /** Maximum argument of {@link #has} in bytes: more than the 64 KiB of a BGZF block. */
  static final int CAPACITY = 1 << 18;

  private final Input file;
  private final long length;
  private final ByteBuffer buffer;
  private long bufferEnd;

  CompressedBytes(Input file) throws IOException {
    this.file = file;
    this.length = file.length();
    this.buffer =
        Input.buffer((int) Math.min(CAPACITY, length)).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  }

  String path() {
    return file.path();
  }

  /** Returns the file offset of the next byte in the buffer. */
  long position() {
    return bufferEnd - buffer.remaining();
  }

  long length() {
    return length;
  }

  /**
   * Returns the little-endian buffer of the bytes that have been read but not consumed; advancing
   * its position consumes bytes.
   */
  ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Reads until the buffer contains {@code count} bytes; returns false if the file ends earlier.
   */
  boolean has(int count) throws IOException {
    if (buffer.remaining() >= count) {
      return true;
    }
    if (length - position() < count) {
      return false;
    }
    buffer.compact().flip();
    int kept = buffer.limit();
    int more = (int) Math.min(buffer.capacity() - kept, length - bufferEnd);
    file.readFully(bufferEnd, buffer.duplicate().limit(kept + more).position(kept));
    buffer.limit(kept + more);
    bufferEnd += more;
    return true;
  }

  void seek(long position) {
    buffer.limit(0);
    bufferEnd = position;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
