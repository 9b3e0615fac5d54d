package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * Writes the vectors of a row group as pages, which contain the unchanged bytes of the vectors. A
 * page contains whole rows, or a part of a row that is longer than a page.
 */
final class VectorPages {
  private static final int PAGE_BYTES = 1 << 20;

  private final PageCompression compression;
  private final int vectorBytes;
  private final int vectorValues;
  private final int rowVectors;
  private final int pageVectors;
  private final byte[] fullLevels;
  private final ByteBuffer page;
  private ChunkWriter chunk;
  private ColumnSchema column;
  private long left;
  private int vectors;

  /**
   * Creates a writer of the vectors of a file.
   *
   * @param out the file, positioned at the start of the first chunk
   * @param column any of the columns of vectors, which differ only in their names
   */
  VectorPages(Output out, ColumnSchema column, int vectorBytes, PageCompression compression) {
    this.compression = compression;
    this.vectorBytes = vectorBytes;
    this.vectorValues = vectorValues(column);
    this.rowVectors = column.values() / vectorValues;
    this.pageVectors = pageVectors(column, vectorBytes);
    this.fullLevels = ListLevels.of(column, 0, pageVectors * vectorValues);
    this.page = Input.buffer(Math.addExact(fullLevels.length, pageVectors * vectorBytes));
    this.column = column;
    this.chunk = new ChunkWriter(out, column, compression);
  }

  /** Returns the number of values that each vector has in a page. */
  static int vectorValues(ColumnSchema column) {
    return column.type() == Physical.FIXED || !column.isList()
        ? 1
        : column.lists().get(column.lists().size() - 1);
  }

  /** Returns the number of vectors in a full page. */
  static int pageVectors(ColumnSchema column, int vectorBytes) {
    int vectors = Math.max(1, PAGE_BYTES / vectorBytes);
    int row = column.values() / vectorValues(column);
    return row <= vectors ? vectors / row * row : vectors;
  }

  /** Begins the chunk of a row group with the given number of vectors. */
  void begin(Output out, ColumnSchema next, long groupVectors) {
    column = next;
    chunk = new ChunkWriter(out, next, compression);
    left = groupVectors;
    beginPage();
  }

  private void beginPage() {
    int ofRow = rowVectors - begun();
    vectors =
        (int) Math.min(left, rowVectors > pageVectors ? Math.min(ofRow, pageVectors) : pageVectors);
    byte[] levels =
        vectors == pageVectors && ofRow == rowVectors
            ? fullLevels
            : ListLevels.of(column, begun() * vectorValues, vectors * vectorValues);
    page.clear().limit(levels.length + vectors * vectorBytes).put(levels);
  }

  /** Returns the number of vectors of the current row that have been written. */
  private int begun() {
    return (int) ((rowVectors - left % rowVectors) % rowVectors);
  }

  /** Writes the next bytes of the vectors of the row group. */
  void write(ByteBuffer some) throws IOException {
    int end = some.limit();
    while (some.hasRemaining()) {
      page.put(some.limit(Math.min(end, some.position() + page.remaining())));
      some.limit(end);
      if (!page.hasRemaining()) {
        endPage();
        beginPage();
      }
    }
  }

  private void endPage() throws IOException {
    int rows = (begun() + vectors) / rowVectors;
    chunk.page(rows, vectors * vectorValues, page.flip(), null);
    left -= vectors;
  }

  /** Ends the chunk; all its vectors must have been written. */
  WrittenChunk end() {
    if (left > 0) {
      throw new IllegalStateException(left + " vectors are missing");
    }
    return chunk.end();
  }
}
