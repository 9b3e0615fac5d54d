package org.saevhadoop.format.zip;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/** An {@link Output} as a stream, which leaves it open. */
final class OutputStreamView extends OutputStream {
  private final Output file;

  OutputStreamView(Output file) {
    this.file = file;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    file.write(ByteBuffer.wrap(bytes, offset, length));
  }
}
