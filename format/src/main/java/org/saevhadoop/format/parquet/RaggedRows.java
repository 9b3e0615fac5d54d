package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableFooter;

/**
 * The token counts of rows with different lengths.
 *
 * @param runs the rows, in order
 */
record RaggedRows(List<Run> runs) {
  /** The same limit as for Arrow files. */
  private static final int MAX_RUNS = 1 << 18;

  /** The value for a row group without rows. */
  static final RaggedRows NONE = new RaggedRows(List.of());

  /**
   * Consecutive rows with the same number of tokens.
   *
   * @param tokens the number of tokens of each row
   */
  record Run(long rows, long tokens) {}

  RaggedRows {
    runs = List.copyOf(runs);
  }

  /** Reads the lengths of the outermost lists of a column in a row group. */
  static RaggedRows read(Input in, TableFooter footer, int group, int column) throws IOException {
    Collector collector = new Collector();
    long[] lengths = new long[footer.columns().get(column).lists()];
    new ColumnReader(in, footer, group, column, lengths).readLengths(collector::add);
    ParquetError.LIMIT_EXCEEDED.check(
        collector.runs.size() <= MAX_RUNS,
        in.path(),
        "lists of tokens change their length %d times (expected at most %d in a file)",
        collector.runs.size(),
        MAX_RUNS);
    return new RaggedRows(collector.runs);
  }

  /** Joins the rows of several row groups. */
  static RaggedRows join(String path, List<RaggedRows> groups) throws FormatException {
    Collector collector = new Collector();
    groups.forEach(group -> group.runs.forEach(run -> collector.add(run.rows, run.tokens)));
    ParquetError.LIMIT_EXCEEDED.check(
        collector.runs.size() <= MAX_RUNS,
        path,
        "lists of tokens change their length %d times (expected at most %d in a file)",
        collector.runs.size(),
        MAX_RUNS);
    return new RaggedRows(collector.runs);
  }

  /** Returns the total number of tokens. */
  long tokens() {
    return runs.stream().mapToLong(run -> run.rows * run.tokens).sum();
  }

  /**
   * Divides arrays into arrays of rows with equal numbers of tokens.
   *
   * @param arrays arrays whose first dimension counts all tokens, or the rows
   * @param ragged the names of the arrays whose first dimension counts tokens
   */
  List<List<FileArray>> parts(List<FileArray> arrays, Set<String> ragged) {
    List<List<FileArray>> parts = new ArrayList<>();
    long row = 0;
    long token = 0;
    for (Run run : runs) {
      List<FileArray> part = new ArrayList<>();
      for (FileArray array : arrays) {
        boolean isRagged = ragged.contains(array.name());
        List<Long> shape = new ArrayList<>(array.shape());
        shape.set(0, isRagged ? run.tokens : run.rows);
        if (isRagged) {
          shape.add(0, run.rows);
        }
        StridedLayout all = array.layout();
        long offset = all.offset() + (isRagged ? token : row) * all.strides().get(0);
        part.add(
            new FileArray(
                array.name(), array.dtype(), StridedLayout.cOrder(offset, all.width(), shape)));
      }
      parts.add(part);
      row += run.rows;
      token += run.rows * run.tokens;
    }
    return parts;
  }

  /** Joins consecutive rows with the same number of tokens. */
  private static final class Collector {
    private final List<Run> runs = new ArrayList<>();
    private @Nullable Run last;

    void add(long tokens) {
      add(1, tokens);
    }

    void add(long rows, long tokens) {
      if (last != null && last.tokens == tokens) {
        last = new Run(last.rows + rows, tokens);
        runs.set(runs.size() - 1, last);
      } else {
        last = new Run(rows, tokens);
        runs.add(last);
      }
    }
  }
}
