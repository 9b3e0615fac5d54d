package org.saevhadoop.format.parquet.write;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * A column with the id of the example in each row. Instances are thread-safe.
 *
 * @param exampleRows the number of rows per example in a row group
 */
record IdColumn(ExampleIds ids, int exampleRows) {
  static final ColumnSchema SCHEMA = new ColumnSchema("id", Physical.BYTE_ARRAY, Form.REQUIRED);

  private static final int PAGE_BYTES = 1 << 20;
  private static final int IDS_AT_ONCE = 1 << 10;

  /** Writes the chunk of a row group. */
  WrittenChunk write(Output out, PageCompression compression, long firstExample, long examples)
      throws IOException {
    ChunkWriter chunk = new ChunkWriter(out, SCHEMA, compression);
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    int rows = 0;
    for (long done = 0; done < examples; done += IDS_AT_ONCE) {
      for (String id : ids(firstExample + done, Math.min(IDS_AT_ONCE, examples - done))) {
        byte[] value = plain(id);
        for (int row = 0; row < exampleRows; row++) {
          if (page.size() + value.length > PAGE_BYTES && rows > 0) {
            chunk.page(rows, rows, ByteBuffer.wrap(page.toByteArray()), null);
            page.reset();
            rows = 0;
          }
          page.writeBytes(value);
          rows++;
        }
      }
    }
    chunk.page(rows, rows, ByteBuffer.wrap(page.toByteArray()), null);
    return chunk.end();
  }

  private List<String> ids(long first, long count) throws IOException {
    synchronized (ids) {
      return ids.ids(first, count);
    }
  }

  private static byte[] plain(String id) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Integer.BYTES + text.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(text.length)
        .put(text)
        .array();
  }
}
