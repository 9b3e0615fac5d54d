package org.saevhadoop.format.parquet.layers;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.layers.LayerRows.Cursor;

/** Writes the labels and each array of per-token integers of the first layer to separate files. */
final class TravellingNumbers implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final int firstPatch;
  private final List<Column> columns = new ArrayList<>();

  /** A file of numbers. */
  private record Column(Output out, ByteBuffer buffer) implements Closeable {
    Column(Output out) {
      this(out, ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN));
    }

    ByteBuffer room() throws IOException {
      if (buffer.remaining() < Long.BYTES) {
        flush();
      }
      return buffer;
    }

    void flush() throws IOException {
      out.write(buffer.flip());
      buffer.clear();
    }

    @Override
    public void close() throws IOException {
      try (out) {
        flush();
      }
    }
  }

  TravellingNumbers(Folder staged, LayerShape shape) throws IOException {
    this.firstPatch = shape.geometry().tokens() - shape.patches();
    try {
      columns.add(new Column(staged.create(JoinedLayers.LABELS)));
      for (int i = 0; i < shape.integers().size(); i++) {
        columns.add(new Column(staged.create(JoinedLayers.INTEGERS.formatted(i))));
      }
    } catch (IOException | RuntimeException e) {
      Io.closeAfter(e, columns);
      throw e;
    }
  }

  /**
   * Writes the label and the integers of a row.
   *
   * @param token the index of the token in its example
   */
  void write(Cursor row, int token) throws IOException {
    if (token >= firstPatch) {
      columns.get(0).room().put((byte) row.label());
    }
    for (int i = 1; i < columns.size(); i++) {
      columns.get(i).room().putLong(row.integer(i - 1));
    }
  }

  @Override
  public void close() throws IOException {
    Io.closeAll(columns);
  }
}
