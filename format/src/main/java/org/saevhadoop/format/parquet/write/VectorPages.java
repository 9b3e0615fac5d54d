package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;

/** Writes the vectors of a row group as pages, which hold their bytes as they arrive. */
final class VectorPages {
  private static final int PAGE_BYTES = 1 << 20;

  private final ColumnSchema column;
  private final int vectorBytes;
  private final PageCompression compression;
  private final int pageRows;
  private final byte[] fullLevels;
  private final ByteBuffer page;
  private ChunkWriter chunk;
  private long left;
  private int rows;

  /**
   * Creates a writer of the vectors of a file.
   *
   * @param out the file, at the place of the first chunk
   */
  VectorPages(Output out, ColumnSchema column, int vectorBytes, PageCompression compression) {
    this.column = column;
    this.vectorBytes = vectorBytes;
    this.compression = compression;
    this.pageRows = pageRows(vectorBytes);
    this.fullLevels = levels(pageRows);
    this.page = Input.buffer(Math.addExact(fullLevels.length, pageRows * vectorBytes));
    this.chunk = new ChunkWriter(out, column, compression);
  }

  /** Returns the number of rows in a full page. */
  static int pageRows(int vectorBytes) {
    return Math.max(1, PAGE_BYTES / vectorBytes);
  }

  /** Begins the chunk of a row group of some rows. */
  void begin(Output out, long groupRows) {
    chunk = new ChunkWriter(out, column, compression);
    left = groupRows;
    beginPage();
  }

  private void beginPage() {
    rows = (int) Math.min(pageRows, left);
    byte[] levels = rows == pageRows ? fullLevels : levels(rows);
    page.clear().limit(levels.length + rows * vectorBytes).put(levels);
  }

  /** Writes bytes of vectors that are in the row group. */
  void write(ByteBuffer vectors) throws IOException {
    int end = vectors.limit();
    while (vectors.hasRemaining()) {
      page.put(vectors.limit(Math.min(end, vectors.position() + page.remaining())));
      vectors.limit(end);
      if (!page.hasRemaining()) {
        chunk.page(rows, rows * valuesOfRow(), page.flip(), null);
        left -= rows;
        beginPage();
      }
    }
  }

  /** Ends the chunk, after all of its vectors were written. */
  WrittenChunk end() {
    if (left > 0) {
      throw new IllegalStateException(left + " vectors are missing");
    }
    return chunk.end();
  }

  private int valuesOfRow() {
    return column.form() == Form.LIST ? column.size() : 1;
  }

  /** Returns the repetition levels, 0 and then 1 for each list, and the definition levels, 1. */
  private byte[] levels(int some) {
    if (column.form() != Form.LIST) {
      return new byte[0];
    }
    RunLengthEncoder repetition = new RunLengthEncoder(1);
    for (int i = 0; i < some; i++) {
      repetition.add(0, 1);
      repetition.add(1, column.size() - 1);
    }
    RunLengthEncoder definition = new RunLengthEncoder(1);
    definition.add(1, Math.multiplyExact(some, column.size()));
    byte[] first = repetition.toBytes();
    byte[] second = definition.toBytes();
    return ByteBuffer.allocate(2 * Integer.BYTES + first.length + second.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(first.length)
        .put(first)
        .putInt(second.length)
        .put(second)
        .array();
  }
}
