package org.saevhadoop.format.reader.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.saevhadoop.format.io.Input;

/** Counts the files that are open. */
public final class OpenFiles implements UnaryOperator<Input> {
  private int count;

  public int count() {
    return count;
  }

  @Override
  public Input apply(Input file) {
    count++;
    return new Input() {
      @Override
      public String path() {
        return file.path();
      }

      @Override
      public long length() throws IOException {
        return file.length();
      }

      @Override
      public void readFully(long position, ByteBuffer dst) throws IOException {
        file.readFully(position, dst);
      }

      @Override
      public void close() throws IOException {
        count--;
        file.close();
      }
    };
  }
}
