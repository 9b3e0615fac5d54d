package org.saevhadoop.format.zip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/** A file in memory, up to a limit. */
final class MemoryOutput implements Output {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int limit = Integer.MAX_VALUE;
  private int closed;

  byte[] bytes() {
    return bytes.toByteArray();
  }

  int closed() {
    return closed;
  }

  /** Makes the disk full after this many bytes. */
  void limit(int max) {
    limit = max;
  }

  @Override
  public String path() {
    return HandMadeZip.PATH;
  }

  @Override
  public long position() {
    return bytes.size();
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    if (bytes.size() + src.remaining() > limit) {
      throw new IOException("the disk is full");
    }
    byte[] piece = new byte[src.remaining()];
    src.get(piece);
    bytes.writeBytes(piece);
  }

  @Override
  public void close() {
    closed++;
  }
}
