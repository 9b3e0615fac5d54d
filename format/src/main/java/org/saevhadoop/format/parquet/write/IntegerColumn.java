package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/** A column of integers, one a row. */
record IntegerColumn(ColumnSchema schema, Values values) {
  /** Few enough for readers of a few examples to skip the other pages of a row group. */
  static final int PAGE_ROWS = 1 << 13;

  /** The integers of the rows of a layer. */
  @FunctionalInterface
  interface Values {
    /**
     * Fills the values of consecutive rows.
     *
     * @param firstRow the number of the first row in the layer: {@code example * tokens + token}
     * @param isNull which rows have no value; initially none
     */
    void fill(int layer, long firstRow, long[] values, boolean[] isNull) throws IOException;
  }

  /** Writes the chunk of a row group. */
  WrittenChunk write(
      Output out, PageCompression compression, int layer, long firstRow, long groupRows)
      throws IOException {
    ChunkWriter chunk = new ChunkWriter(out, schema, compression);
    for (long done = 0; done < groupRows; done += PAGE_ROWS) {
      int rows = (int) Math.min(PAGE_ROWS, groupRows - done);
      long[] page = new long[rows];
      boolean[] isNull = new boolean[rows];
      values.fill(layer, firstRow + done, page, isNull);
      chunk.page(rows, rows, body(page, isNull), bounds(page, isNull));
    }
    return chunk.end();
  }

  private ByteBuffer body(long[] page, boolean[] isNull) {
    RunLengthEncoder definition = new RunLengthEncoder(1);
    for (boolean none : isNull) {
      definition.add(none ? 0 : 1, 1);
    }
    byte[] levels = definition.toBytes();
    ByteBuffer body =
        ByteBuffer.allocate(Integer.BYTES + levels.length + page.length * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    if (schema.isOptional()) {
      body.putInt(levels.length).put(levels);
    }
    for (int i = 0; i < page.length; i++) {
      if (isNull[i]) {
        continue;
      }
      if (schema.type() == Physical.INT64) {
        body.putLong(page[i]);
      } else {
        body.putInt(Math.toIntExact(page[i]));
      }
    }
    return body.flip();
  }

  private static WrittenChunk.Bounds bounds(long[] page, boolean[] isNull) {
    long[] present =
        IntStream.range(0, page.length).filter(i -> !isNull[i]).mapToLong(i -> page[i]).toArray();
    return new WrittenChunk.Bounds(
        Arrays.stream(present).min().orElse(0),
        Arrays.stream(present).max().orElse(0),
        page.length - present.length,
        present.length);
  }
}
