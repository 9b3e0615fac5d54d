package org.saevhadoop.format.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.ObjIntConsumer;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.io.Input;

/** Reads the side data for consecutive rows. */
final class SideReader implements Closeable {
  private static final int READ_BYTES = 1 << 16;

  private final Input file;
  private final int rowBytes;

  SideReader(Input file, SideRow side) {
    this.file = file;
    this.rowBytes = side.bytes();
  }

  void read(long first, int rows, ObjIntConsumer<ByteBuffer> visitor) throws IOException {
    int atOnce = Math.max(1, READ_BYTES / rowBytes);
    for (int done = 0; done < rows; done += atOnce) {
      int some = Math.min(atOnce, rows - done);
      ByteBuffer bytes = ByteBuffer.allocate(some * rowBytes).order(ByteOrder.LITTLE_ENDIAN);
      file.readFully((first + done) * rowBytes, bytes);
      for (int i = 0; i < some; i++) {
        visitor.accept(bytes, i * rowBytes);
      }
    }
  }

  /** Returns labels that are read with this reader; closing the labels closes the reader. */
  PatchLabels labels(SideRow side) {
    return new PatchLabels() {
      @Override
      public int patches() {
        return side.labels();
      }

      @Override
      public void read(long first, ByteBuffer dst) throws IOException {
        SideReader.this.read(
            first, dst.remaining() / side.labels(), (bytes, at) -> side.labels(bytes, at, dst));
      }

      @Override
      public void close() throws IOException {
        SideReader.this.close();
      }
    };
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
