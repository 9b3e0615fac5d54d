package org.saevhadoop.format.parquet.write;

import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * The approximate length of an uncompressed file without ids and sample metadata. The exact length
 * is unknown before the file is written: numbers in headers, such as checksums, take 1 to 5 bytes.
 *
 * @param emptyBytes the length of a file without rows
 */
record ExpectedLength(ParquetWritePlan plan, int emptyBytes) {
  /** Estimated size in bytes of a page header and the entry of the page in the offset index. */
  private static final int PAGE_BYTES = 36;

  /** Estimated size in bytes of an entry in the column index, without its bounds. */
  private static final int BOUNDS_BYTES = 4;

  /** Estimated size in bytes of the metadata of a column chunk, without its bounds and path. */
  private static final int CHUNK_BYTES = 60;

  /** Returns the length of a file with the given number of examples. */
  long of(long examples) {
    long bytes = emptyBytes;
    int vectorBytes = plan.geometry().vectorBytes();
    for (ColumnSchema column : plan.vectors()) {
      int pageVectors = VectorPages.pageVectors(column, vectorBytes);
      int values = VectorPages.vectorValues(column);
      bytes += chunks(column, examples, plan.geometry().tokens(), vectorBytes, pageVectors, values);
    }
    for (ColumnSchema column : plan.integers()) {
      int width = column.type() == Physical.INT64 ? Long.BYTES : Integer.BYTES;
      int values = column.isList() ? plan.geometry().tokens() : plan.exampleRows();
      bytes += chunks(column, examples, values, width, IntegerColumn.pageValues(column), 1);
    }
    return bytes;
  }

  /**
   * Returns the length of all chunks of a column.
   *
   * @param items the number of vectors or integers per example
   * @param width the number of bytes per item
   * @param pageItems the number of items in a full page
   * @param values the number of values per item
   */
  private long chunks(
      ColumnSchema column, long examples, long items, int width, int pageItems, int values) {
    long layers = plan.unit() == RowUnit.VECTOR ? plan.geometry().layers().size() : 1;
    long groups = ratio(examples, plan.groupExamples());
    long all = examples * items;
    long pages = Math.max(groups, ratio(all, pageItems));
    int levels = ListLevels.of(column, 0, pageItems * values).length;
    boolean hasBounds = !column.isList() && column.type() != Physical.FIXED;
    int bounds = hasBounds ? 2 * width : 0;
    int path = String.join("", column.path()).length();
    return layers
        * (all * width
            + all * levels / pageItems
            + pages * (PAGE_BYTES + (hasBounds ? BOUNDS_BYTES + bounds : 0))
            + groups * (CHUNK_BYTES + bounds + path));
  }

  private static long ratio(long count, long most) {
    return (count + most - 1) / most;
  }
}
