package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * A part of a file as a file.
 *
 * @param file the file, which is closed with this part
 * @param offset the offset of the first byte of the part
 * @param length the length of the part in bytes
 */
record SectionInput(Input file, long offset, long length) implements Input {
  @Override
  public String path() {
    return file.path();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    file.readFully(offset + position, dst);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
