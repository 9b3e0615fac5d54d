package org.saevhadoop.format.gzip;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Input;

/** The bytes of a file, read through a buffer from which they are taken. */
final class CompressedBytes implements Closeable {
  /** Bytes that {@link #has} can be asked for: above a BGZF block's 64 KiB. */
  static final int CAPACITY = 1 << 18;

  private final Input file;
  private final long length;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(CAPACITY).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private long bufferEnd;

  CompressedBytes(Input file) throws IOException {
    this.file = file;
    this.length = file.length();
  }

  String path() {
    return file.path();
  }

  /** Where the buffer's position is in the file. */
  long position() {
    return bufferEnd - buffer.remaining();
  }

  long length() {
    return length;
  }

  /** What was read and not taken; taking is moving its position. Little-endian. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Reads until the buffer holds {@code count} bytes; false where the file ends before. */
  boolean has(int count) throws IOException {
    if (buffer.remaining() >= count) {
      return true;
    }
    if (length - position() < count) {
      return false;
    }
    buffer.compact();
    int had = buffer.position();
    buffer.limit((int) Math.min(CAPACITY, had + length - bufferEnd));
    boolean read = false;
    try {
      file.readFully(bufferEnd, buffer);
      read = true;
    } finally {
      // an error leaves what was there before
      buffer.limit(read ? buffer.limit() : had).position(0);
    }
    bufferEnd += buffer.limit() - had;
    return true;
  }

  /** Moves to another place in the file. */
  void seek(long position) {
    buffer.limit(0);
    bufferEnd = position;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
