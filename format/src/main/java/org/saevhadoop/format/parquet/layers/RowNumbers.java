package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.Arrays;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.GuardedRead;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;

/**
 * The integers of a column in a row group.
 *
 * @param column the index of the column in the footer
 * @param values the integers, with a chosen number for nulls
 */
record RowNumbers(int column, long[] values) {
  private static final int MAX_ROWS = 1 << 26;
  private static final int FIRST_ROWS = 1 << 16;

  /** Share of the heap for the numbers of the rows of a row group. */
  private static final double MEMORY_SHARE = 0.4;

  /** Returns a memory account for the numbers of a row group. */
  static MemoryAccount account() {
    return new MemoryAccount(
        (long) (Runtime.getRuntime().maxMemory() * MEMORY_SHARE), "the numbers of its rows");
  }

  /** Reads a column, with {@link LayerColumns#ABSENT} for nulls. */
  static RowNumbers read(
      Input in, LayerColumns columns, int group, int column, MemoryAccount memory)
      throws IOException {
    return read(in, columns, group, column, LayerColumns.ABSENT, memory);
  }

  /**
   * Reads a column. Memory is allocated only for numbers that are found, because the count in the
   * footer may be wrong.
   *
   * @param absent the number to use for a null
   */
  static RowNumbers read(
      Input in, LayerColumns columns, int group, int column, long absent, MemoryAccount memory)
      throws IOException {
    long rows = columns.footer().rowGroups().get(group).rows();
    long[][] values = {new long[(int) Math.min(rows, FIRST_ROWS)]};
    int[] next = {0};
    GuardedRead.of(
        in.path(),
        () -> {
          ParquetLimits.check(rows, MAX_ROWS, "rows in a row group");
          memory.take(rows * Long.BYTES);
          columns.read(
              in,
              group,
              column,
              absent,
              number -> {
                if (next[0] == values[0].length) {
                  values[0] = Arrays.copyOf(values[0], (int) Math.min(rows, 2L * next[0]));
                }
                values[0][next[0]++] = number;
              });
          return values;
        });
    return new RowNumbers(column, values[0]);
  }

  /**
   * Returns an array with room for one number per row; the number of rows has already been verified
   * by reading another column.
   */
  static long[] allocate(Input in, LayerColumns columns, int group, MemoryAccount memory)
      throws IOException {
    long rows = columns.footer().rowGroups().get(group).rows();
    return GuardedRead.of(
        in.path(),
        () -> {
          ParquetLimits.check(rows, MAX_ROWS, "rows in a row group");
          memory.take(rows * Long.BYTES);
          return new long[(int) rows];
        });
  }

  /** Checks that no number is null, negative or too large. */
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
