package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * A column of integers, with either one integer per row or, in each row, a list of one integer per
 * token.
 */
record IntegerColumn(ColumnSchema schema, Values values) {
  /** Denotes a missing integer for a token in a list. */
  private static final int NONE = -1;

  /**
   * Number of values in a page, small enough that readers of a few examples can skip the other
   * pages of a row group.
   */
  private static final int PAGE_VALUES = 1 << 13;

  /** The integers of the rows of a layer. */
  @FunctionalInterface
  interface Values {
    /**
     * Fills consecutive values.
     *
     * @param first the number of the first value in the layer: {@code example * tokens + token}
     * @param isNull set to true for each absent value; initially all false
     */
    void fill(int layer, long first, long[] values, boolean[] isNull) throws IOException;
  }

  /** Returns the number of values in a full page, which contains whole rows. */
  static int pageValues(ColumnSchema schema) {
    return Math.max(1, PAGE_VALUES / schema.values()) * schema.values();
  }

  /** Writes the chunk of a row group. */
  WrittenChunk write(
      Output out, PageCompression compression, int layer, long first, long groupValues)
      throws IOException {
    ChunkWriter chunk = new ChunkWriter(out, schema, compression);
    int pageValues = pageValues(schema);
    for (long done = 0; done < groupValues; done += pageValues) {
      int count = (int) Math.min(pageValues, groupValues - done);
      long[] page = new long[count];
      boolean[] isNull = new boolean[count];
      values.fill(layer, first + done, page, isNull);
      WrittenChunk.Bounds bounds = schema.isList() ? null : bounds(page, isNull);
      chunk.page(count / schema.values(), count, body(page, isNull), bounds);
    }
    return chunk.end();
  }

  private ByteBuffer body(long[] page, boolean[] isNull) {
    byte[] levels =
        schema.isOptional() ? definition(isNull) : ListLevels.of(schema, 0, page.length);
    ByteBuffer body =
        ByteBuffer.allocate(Math.addExact(levels.length, page.length * Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(levels);
    for (int i = 0; i < page.length; i++) {
      if (isNull[i] && schema.isOptional()) {
        continue;
      }
      long value = isNull[i] ? NONE : page[i];
      if (schema.type() == Physical.INT64) {
        body.putLong(value);
      } else {
        body.putInt(Math.toIntExact(value));
      }
    }
    return body.flip();
  }

  private static byte[] definition(boolean[] isNull) {
    RunLengthEncoder definition = new RunLengthEncoder(1);
    for (boolean none : isNull) {
      definition.add(none ? 0 : 1, 1);
    }
    byte[] levels = definition.toBytes();
    return ByteBuffer.allocate(Integer.BYTES + levels.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(levels.length)
        .put(levels)
        .array();
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
