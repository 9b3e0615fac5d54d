package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is being written from its beginning to its end; it is whole only once closed. */
public interface Output extends Closeable {
  /** The file's path, as error messages name it. */
  String path();

  /** Bytes written so far. */
  long position();

  /** Appends all remaining bytes of {@code src}. */
  void write(ByteBuffer src) throws IOException;

  /**
   * Appends zero bytes up to {@code length}; sparse where the storage can do so.
   *
   * @throws IllegalArgumentException if more bytes are written already
   */
  default void extendTo(long length) throws IOException {
    ZeroFill.fill(this, length);
  }
}
