package org.saevhadoop.format.parquet.table;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.RunLengthDecoder;

/**
 * The list lengths of a column, derived from its repetition levels. All rows must have lists of the
 * same lengths.
 */
final class ListLengths {
  private final String path;
  private final String column;
  private final long firstRow;
  private final long[] expected;
  private final long[] counts;
  private @Nullable LongConsumer outermost;
  private long rows;

  /**
   * Creates lengths.
   *
   * @param firstRow the index of the first row in the file, for messages
   * @param expected the list length at each level, from the outermost list inward; 0 to use the
   *     first length found
   */
  ListLengths(String path, String column, long firstRow, long[] expected) {
    this.path = path;
    this.column = column;
    this.firstRow = firstRow;
    this.expected = expected;
    this.counts = new long[expected.length];
  }

  /** Passes the lengths of the outermost lists to a consumer, and allows the lengths to differ. */
  void setOutermost(LongConsumer lengths) {
    outermost = lengths;
  }

  /** Returns whether the outermost lists may differ in length and may be empty. */
  boolean isRagged() {
    return outermost != null;
  }

  /** Returns whether the lengths of all inner lists are known. */
  boolean isKnown() {
    return Arrays.stream(expected).skip(1).allMatch(length -> length > 0);
  }

  /** Reads the levels of empty outermost lists. */
  void readEmpty(RunLengthDecoder levels, int count) throws FormatException {
    for (int i = 0; i < count; i++) {
      if (levels.next() != 0) {
        throw new IllegalArgumentException("an empty list begins within a row");
      }
      begin(0, 1);
      counts[0] = 0;
    }
  }

  /** Returns the number of rows that have begun. */
  long rows() {
    return rows;
  }

  /**
   * Reads the levels of values.
   *
   * @param count the number of values
   * @param maxRows the number of rows to read; the values of further rows remain unread
   * @return the number of values that were read
   */
  int read(RunLengthDecoder levels, int count, long maxRows) throws FormatException {
    int innermost = expected.length;
    for (int i = 0; i < count; ) {
      int level = levels.next();
      if (level > innermost) {
        throw new IllegalArgumentException("a repetition level is too high");
      }
      if (level == 0 && rows == maxRows) {
        return i;
      }
      int equal = level == innermost ? levels.skipEqual(count - i - 1) : 0;
      begin(level, equal + 1);
      i += equal + 1;
    }
    return count;
  }

  private void begin(int level, int elements) throws FormatException {
    if (rows > 0) {
      close(level);
    }
    if (level > 0) {
      if (rows == 0 || counts[0] == 0) {
        throw new IllegalArgumentException("a list begins within a row");
      }
      counts[level - 1] += elements;
    } else {
      rows += elements;
    }
    for (int i = level; i < counts.length; i++) {
      counts[i] = 1;
    }
  }

  /** Checks the lengths of the lists that end before an element with the given repetition level. */
  private void close(int level) throws FormatException {
    for (int i = level; i < counts.length; i++) {
      if (i == 0 && outermost != null) {
        outermost.accept(counts[0]);
        if (counts[0] == 0) {
          return;
        }
        continue;
      }
      if (expected[i] == 0) {
        expected[i] = counts[i];
      }
      ParquetError.UNEQUAL_LENGTHS.check(
          counts[i] == expected[i],
          path,
          "column \"%s\" has a list of %d elements in row %d, after lists of %d (expected lists of"
              + " one length, or --ragged for lists of tokens)",
          Names.shown(column),
          counts[i],
          firstRow + rows - 1,
          expected[i]);
    }
  }

  /** Ends the last row. */
  void end() throws FormatException {
    if (rows > 0) {
      close(0);
    }
  }

  /** Returns the error for a null or an empty list in the current row. */
  FormatException absent() {
    return ParquetError.MISSING_VALUE.in(
        path,
        "column \"%s\" has a null or an empty list in row %d (expected a number; --ragged flatten"
            + " and --ragged pad:N accept empty lists of tokens)",
        Names.shown(column),
        firstRow + Math.max(0, rows - 1));
  }
}
