package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that can only be read from their beginning to their end: what comes out of a gzip file. */
public interface ByteSource extends Closeable {
  /** The file's path, as error messages name it. */
  String path();

  /**
   * Reads some bytes, at least one where {@code dst} has room.
   *
   * @return how many; -1 at the end, where all that can be checked has been checked
   */
  int read(ByteBuffer dst) throws IOException;

  /** Bytes of the file that were read so far, compressed where it is: for progress. */
  long fileBytesRead();
}
