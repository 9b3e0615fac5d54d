package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * File that can be read at any position. An instance must be used by one thread at a time; readers
 * that need parallel reads open the file again.
 */
public interface Input extends Closeable {
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
}
