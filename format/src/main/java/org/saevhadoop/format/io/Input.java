package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that can be read at any position. One thread at a time; a reader that wants parallel reads
 * opens the file again.
 */
public interface Input extends Closeable {
  /** The file's path, as error messages name it. */
  String path();

  /** The file's length in bytes. */
  long length() throws IOException;

  /**
   * Fills {@code dst} up to its limit with the bytes from {@code position} on.
   *
   * @throws FormatException where the file ends before
   */
  void readFully(long position, ByteBuffer dst) throws IOException;
}
