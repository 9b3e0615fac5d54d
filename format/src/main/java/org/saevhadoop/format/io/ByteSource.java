package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that can only be read sequentially, such as the content of a gzip file. */
public interface ByteSource extends Closeable {
  String path();

  /**
   * Reads at least one byte if {@code dst} has room.
   *
   * @return the number of bytes read, or -1 at the end, when every available check has been
   *     performed
   */
  int read(ByteBuffer dst) throws IOException;

  /**
   * Skips bytes without reading them, if the source can.
   *
   * @return the number of bytes skipped, which may be 0
   */
  default long skip(long bytes) throws IOException {
    return 0;
  }

  /**
   * Returns the number of bytes of the file read so far, before decompression; used to report
   * progress.
   */
  long fileBytesRead();
}
