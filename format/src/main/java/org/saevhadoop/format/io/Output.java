package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.api.PublicApi;

/** A file that is being written, usually sequentially. It is complete only after it is closed. */
@PublicApi
public interface Output extends Closeable {
  /** The number of bytes that {@link #copy} reads at a time. */
  int COPY_BYTES = 1 << 20;

  /** Returns the path of the file, for error messages. */
  String path();

  /** Returns the number of bytes from the beginning to the end of the last byte written. */
  long position();

  /** Appends all remaining bytes of {@code src}. */
  void write(ByteBuffer src) throws IOException;

  /**
   * Appends bytes of another file.
   *
   * @param from the position of the first byte to be copied
   */
  default void copy(Input file, long from, long bytes) throws IOException {
    ByteBuffer buffer = Input.buffer((int) Math.min(COPY_BYTES, bytes));
    for (long at = from; at < from + bytes; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), from + bytes - at));
      file.readFully(at, buffer);
      write(buffer.flip());
    }
  }

  /**
   * Writes all remaining bytes of {@code src} to the file, starting at byte {@code position}. Bytes
   * that are appended later follow the last byte of the file. Bytes that are never written are
   * zero.
   */
  default void writeAt(long position, ByteBuffer src) throws IOException {
    throw new UnsupportedOperationException(path() + ": can only be appended to");
  }

  /** Appends zero bytes up to {@code length}, as a hole if the storage supports sparse files. */
  default void extendTo(long length) throws IOException {
    checkExtension(length);
    ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(1 << 18, length - position()));
    while (position() < length) {
      write(zeros.clear().limit((int) Math.min(zeros.capacity(), length - position())));
    }
  }

  /** Checks that a file is not already longer than the requested length. */
  default void checkExtension(long length) {
    if (length < position()) {
      throw new IllegalArgumentException(path() + ": " + length + " is before " + position());
    }
  }

  /** An output that forwards all calls to another one, except for methods that are overridden. */
  interface Filter extends Output {
    /** Returns the output to which calls are forwarded. */
    Output file();

    @Override
    default String path() {
      return file().path();
    }

    @Override
    default long position() {
      return file().position();
    }

    @Override
    default void close() throws IOException {
      file().close();
    }
  }
}
