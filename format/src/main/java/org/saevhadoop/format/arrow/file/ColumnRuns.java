package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.ArrowColumn.Level;
import org.saevhadoop.format.arrow.file.ArrowColumn.Node;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;

/**
 * The runs of rows of a column in which lists have the same lengths, so that the values of a run
 * can be read in place as one array.
 */
final class ColumnRuns {
  /** The length reported for a run without lists. */
  static final long UNKNOWN = -1;

  /** The maximum number of runs of a file. */
  static final int MAX_RUNS = 1 << 16;

  private static final int MAX_SHOWN = 100;
  private static final int BITMAP_PIECE = 1 << 12;

  /**
   * A run.
   *
   * @param first the index of the first row in its batch
   * @param value the index of the first value in the column
   * @param sizes the dimensions of a row
   */
  record Run(long first, long rows, long value, List<Long> sizes) {
    long end() {
      return first + rows;
    }
  }

  private final Input file;
  private final ArrowColumn column;

  /** The number of rows in the file before the batch. */
  private final long before;

  private final OffsetCursor[] cursors;
  private final Bits[] bits;
  private final List<Run> runs = new ArrayList<>();

  private ColumnRuns(Input file, ArrowColumn column, long before) {
    this.file = file;
    this.column = column;
    this.before = before;
    List<Level> levels = column.levels();
    this.cursors = new OffsetCursor[levels.size()];
    this.bits = new Bits[levels.size() + 1];
    for (int i = 0; i < levels.size(); i++) {
      cursors[i] = new OffsetCursor(file, levels.get(i), node(i + 1).length());
    }
    for (int i = 0; i < bits.length; i++) {
      bits[i] = new Bits(node(i));
    }
  }

  /**
   * Finds the runs.
   *
   * @param rows the number of rows of the batch
   * @param before the number of rows in the file before the batch
   * @throws FormatException if lists of a row have different lengths, if a list is null, or if
   *     offsets are outside the batch
   */
  static List<Run> of(Input file, ArrowColumn column, long rows, long before) throws IOException {
    ColumnRuns found = new ColumnRuns(file, column, before);
    for (Node struct : column.structs()) {
      Bits own = found.new Bits(struct);
      for (long row = 0; row < rows && struct.nulls() > 0; row++) {
        own.check(row, 1, row);
      }
    }
    boolean isUniform =
        column.levels().stream().allMatch(level -> level.isFixed() && level.node().nulls() == 0)
            && column.leaf().nulls() == 0;
    if (rows > 0 && isUniform) {
      found.add(0, rows, 0, found.fixedSizes());
    }
    for (long row = 0; row < rows && !isUniform; row++) {
      found.row(row);
    }
    for (Run run : found.runs) {
      found.checkValues(run);
    }
    return found.runs;
  }

  private Node node(int level) {
    return level < column.levels().size() ? column.levels().get(level).node() : column.leaf();
  }

  private List<Long> fixedSizes() {
    return column.levels().stream().map(Level::size).toList();
  }

  private void row(long row) throws IOException {
    long first = row;
    long count = 1;
    Long[] sizes = new Long[cursors.length];
    for (int i = 0; i < sizes.length; i++) {
      Level level = column.levels().get(i);
      bits[i].check(first, count, row);
      if (level.isFixed()) {
        sizes[i] = level.size();
        first = multiplied(first, level.size());
        count = multiplied(count, level.size());
      } else {
        long begin = cursors[i].begin(first);
        sizes[i] = count == 0 ? UNKNOWN : equalLength(cursors[i], count, row);
        first = begin;
        count = count == 0 ? 0 : multiplied(count, sizes[i]);
      }
    }
    bits[sizes.length].check(first, count, row);
    add(row, 1, first, Arrays.asList(sizes));
  }

  private long equalLength(OffsetCursor cursor, long count, long row) throws IOException {
    long length = cursor.length();
    for (long i = 1; i < count; i++) {
      long other = cursor.length();
      ArrowError.RAGGED.check(
          other == length,
          file.path(),
          "column %s has lists of %d and of %d elements in row %d, counted from 0 (expected lists"
              + " of equal length within a row)",
          Quote.show(column.name(), MAX_SHOWN),
          length,
          other,
          before + row);
    }
    return length;
  }

  private long multiplied(long count, long size) throws FormatException {
    try {
      return Math.multiplyExact(count, size);
    } catch (ArithmeticException e) {
      throw tooLong(count, size).causedBy(e);
    }
  }

  private FormatException tooLong(long count, long size) {
    return ArrowError.BAD_BATCH.in(
        file.path(),
        "column %s has %d lists of %d elements (expected as many as its body has)",
        Quote.show(column.name(), MAX_SHOWN),
        count,
        size);
  }

  private void add(long row, long rows, long value, List<Long> sizes) throws FormatException {
    Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (last != null && last.sizes.equals(sizes)) {
      runs.set(runs.size() - 1, new Run(last.first, last.rows + rows, last.value, last.sizes));
      return;
    }
    ArrowError.RAGGED.check(
        runs.size() < MAX_RUNS,
        file.path(),
        "column %s has lists whose length changes more than %d times (expected rows of equal length"
            + " in fewer runs: sort the rows by their length, or pad them)",
        Quote.show(column.name(), MAX_SHOWN),
        MAX_RUNS);
    runs.add(new Run(row, rows, value, sizes));
  }

  private void checkValues(Run run) throws FormatException {
    long values = run.rows;
    for (long size : run.sizes) {
      values = multiplied(values, Math.max(0, size));
    }
    long end = run.value + values;
    boolean isInside =
        end >= 0
            && end <= column.leaf().length()
            && end <= multiplied(column.values().length(), Byte.SIZE) / column.bits();
    if (!isInside) {
      throw tooLong(run.rows, run.rows == 0 ? 0 : values / run.rows);
    }
  }

  /** The validity bitmap of a node, read in ascending order. */
  private final class Bits {
    private final Node node;
    private @Nullable ByteBuffer piece;
    private long pieceAt;

    Bits(Node node) {
      this.node = node;
    }

    /** Checks that elements are not null. */
    void check(long first, long count, long row) throws IOException {
      for (long i = first; node.nulls() > 0 && i < first + count; i++) {
        ArrowError.NULL.check(
            isValid(i),
            file.path(),
            "column %s has a null in row %d, counted from 0 (expected none)",
            Quote.show(column.name(), MAX_SHOWN),
            before + row);
      }
    }

    private boolean isValid(long index) throws IOException {
      long at = index / Byte.SIZE;
      ArrowError.BAD_BATCH.check(
          at < node.validity().length(),
          file.path(),
          "has a validity bitmap of %d bytes for %d elements",
          node.validity().length(),
          node.length());
      ByteBuffer bytes = piece;
      if (bytes == null || at < pieceAt || at >= pieceAt + bytes.limit()) {
        bytes = ByteBuffer.allocate((int) Math.min(BITMAP_PIECE, node.validity().length() - at));
        file.readFully(node.validity().offset() + at, bytes);
        piece = bytes.flip();
        pieceAt = at;
      }
      return (bytes.get((int) (at - pieceAt)) >> index % Byte.SIZE & 1) != 0;
    }
  }
}
