package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.api.PublicApi;

/**
 * A file that can be read at any position. An instance must be used by one thread at a time;
 * readers that read in parallel open the file several times.
 */
@PublicApi
public interface Input extends Closeable {
  /** The alignment of {@link #buffer} in bytes, which is the size of a processor cache line. */
  int ALIGNMENT = 64;

  /**
   * Returns a direct buffer for reading files, with an address that is a multiple of {@link
   * #ALIGNMENT}. Without this alignment, a large buffer would begin 16 bytes after the start of a
   * page, where the kernel's copies (rep movsb) take up to four times as long on AMD processors.
   */
  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes + 2 * ALIGNMENT).alignedSlice(ALIGNMENT).slice(0, bytes);
  }

  /** Returns the path of the file, for error messages. */
  String path();

  /** Returns the length of the file in bytes. */
  long length() throws IOException;

  /**
   * Reads bytes from {@code position} into {@code dst} up to its limit.
   *
   * @throws FormatException if the file ends earlier
   */
  void readFully(long position, ByteBuffer dst) throws IOException;

  /** An input that forwards all calls to another one, except for methods that are overridden. */
  interface Filter extends Input {
    /** Returns the input to which calls are forwarded. */
    Input file();

    @Override
    default String path() {
      return file().path();
    }

    @Override
    default long length() throws IOException {
      return file().length();
    }

    @Override
    default void close() throws IOException {
      file().close();
    }
  }
}
