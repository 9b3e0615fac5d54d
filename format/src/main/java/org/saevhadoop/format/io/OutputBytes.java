package org.saevhadoop.format.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A file as a stream of bytes; closing the stream closes the file. */
public final class OutputBytes extends OutputStream {
  private final Output out;

  public OutputBytes(Output out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    out.write(ByteBuffer.wrap(bytes, offset, count));
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
