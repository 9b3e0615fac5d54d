package org.saevhadoop.format.gather;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * Bytes in memory, presented as a file.
 *
 * @param path the path for messages
 * @param bytes the content, from index 0 to the limit of the buffer
 */
public record BufferInput(String path, ByteBuffer bytes) implements Input {
  @Override
  public long length() {
    return bytes.limit();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    dst.put(bytes.slice((int) position, dst.remaining()));
  }

  @Override
  public void close() {
    // nothing is open
  }
}
