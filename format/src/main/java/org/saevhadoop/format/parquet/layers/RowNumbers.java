package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;

/**
 * The integers of a column in a row group.
 *
 * @param column the index of the column in the footer
 * @param values the integers, {@link LayerColumns#ABSENT} for nulls
 */
record RowNumbers(int column, long[] values) {
  /** Of memory for a column, 64 MiB: row groups have at most a few million rows. */
  private static final int MAX_ROWS = 1 << 23;

  static RowNumbers read(Input in, LayerColumns columns, int group, int column) throws IOException {
    long rows = columns.footer().rowGroups().get(group).rows();
    ParquetError.LIMIT_EXCEEDED.check(
        rows <= MAX_ROWS,
        in.path(),
        "row group %d has %d rows (expected at most %d, as rows are sorted in memory)",
        group,
        rows,
        MAX_ROWS);
    long[] values = new long[(int) rows];
    int[] next = {0};
    columns.read(in, group, column, number -> values[next[0]++] = number);
    return new RowNumbers(column, values);
  }

  /** Checks that no row has a null, or a number that is negative or too large. */
  void check(long max, String path, LayerColumns columns, int group) throws FormatException {
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0 || values[i] > max) {
        String name = columns.footer().columns().get(column).name();
        throw ParquetError.UNORDERED_ROWS.in(
            path,
            "row %d has %s (expected a number from 0 to %d)",
            columns.footer().rowsBefore(group) + i,
            values[i] == LayerColumns.ABSENT ? "no " + name : name + " " + values[i],
            max);
      }
    }
  }
}
