package org.saevhadoop.format.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The bytes of a file from beginning to end as a stream; closing the stream closes the file. */
public final class InputBytes extends InputStream {
  private final Input in;
  private final long length;
  private long position;

  public InputBytes(Input in) throws IOException {
    this.in = in;
    this.length = in.length();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    int read = (int) Math.min(count, length - position);
    if (read == 0) {
      return count == 0 ? 0 : -1;
    }
    in.readFully(position, ByteBuffer.wrap(bytes, offset, read));
    position += read;
    return read;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
