package org.saevhadoop.format.gather;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * A part of a file, presented as a file.
 *
 * @param file the file, which is closed with this part
 * @param path the path for messages
 * @param offset the offset of the first byte of the part
 * @param length the length of the part in bytes
 */
public record SectionInput(Input file, String path, long offset, long length)
    implements Input.Filter {
  /** Creates a part whose errors name the file. */
  public SectionInput(Input file, long offset, long length) {
    this(file, file.path(), offset, length);
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    file.readFully(offset + position, dst);
  }
}
