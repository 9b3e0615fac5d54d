package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A part of a file as a file.
 *
 * @param file the file, which is closed with this part
 * @param offset the offset of the first byte of the part
 * @param length the length of the part in bytes
 */
public record SectionInput(Input file, long offset, long length) implements Input {
  @Override
  public String path() {
    return file.path();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.TRUNCATED.check(
        position >= 0 && dst.remaining() <= length - position,
        path(),
        "ends at byte %d (expected %d bytes or more)",
        length,
        position + dst.remaining());
    file.readFully(offset + position, dst);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
