package org.saevhadoop.format.parquet.write;

import java.util.List;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;

/**
 * The approximate length of a file without compression, ids and sample metadata. It is not known
 * before the file is written, as the numbers in its headers, such as checksums, have 1 to 5 bytes.
 *
 * @param emptyBytes the length of a file without rows
 */
record ExpectedLength(ParquetWritePlan plan, List<ColumnSchema> columns, int emptyBytes) {
  /** A header of a page, and its entry in the offset index. */
  private static final int PAGE_BYTES = 36;

  /** An entry of the column index without its bounds. */
  private static final int BOUNDS_BYTES = 4;

  /** The metadata of a column chunk without its bounds and its path. */
  private static final int CHUNK_BYTES = 60;

  /** The bytes of a run of levels: its length and the level. */
  private static final int RUN_BYTES = 2;

  /** Returns the length of a file of some examples. */
  long of(long examples) {
    long layers = plan.geometry().layers().size();
    long groups = layers * pages(examples, plan.groupExamples());
    long rows = examples * plan.geometry().tokens();
    long bytes = emptyBytes;
    for (ColumnSchema column : columns) {
      int width = width(column);
      boolean isVector = column.name().equals(ParquetWritePlan.VECTOR);
      long pageRows = isVector ? VectorPages.pageRows(width) : IntegerColumn.PAGE_ROWS;
      long pages = layers * pages(rows, pageRows);
      int bounds = isVector ? 0 : 2 * width;
      bytes += layers * rows * (width + levels(column));
      bytes += pages * (PAGE_BYTES + (isVector ? 0 : BOUNDS_BYTES + bounds));
      bytes += groups * (CHUNK_BYTES + bounds + String.join("", column.path()).length());
    }
    return bytes;
  }

  private static long pages(long rows, long pageRows) {
    return (rows + pageRows - 1) / pageRows;
  }

  /** Returns the bytes of a row without levels. */
  private int width(ColumnSchema column) {
    if (column.name().equals(ParquetWritePlan.VECTOR)) {
      return plan.geometry().vectorBytes();
    }
    return column.type() == Physical.INT64 ? Long.BYTES : Integer.BYTES;
  }

  /** Returns the bytes of the levels of a row: one run for its start, and one for its rest. */
  private static int levels(ColumnSchema column) {
    if (column.form() != Form.LIST) {
      return 0;
    }
    RunLengthEncoder rest = new RunLengthEncoder(1);
    rest.add(1, column.size() - 1);
    return RUN_BYTES + rest.toBytes().length;
  }
}
