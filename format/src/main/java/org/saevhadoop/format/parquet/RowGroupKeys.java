package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableFooter;

/**
 * The layers and the examples of a row group in the {@link RowLayout}.
 *
 * @param layers one layer, or all layers if rows are examples
 * @param column the index of the first of these layers among the layers of the dataset
 * @param first the number of the first example
 */
record RowGroupKeys(List<Integer> layers, int column, long first, long examples) {
  /** Represents a null; no column contains this number. */
  private static final long ABSENT = Long.MIN_VALUE;

  /** Reads the columns of a row group that identify the position of each vector. */
  static RowGroupKeys read(Input in, TableFooter footer, int group, RowLayout layout)
      throws IOException {
    long rows = footer.rowGroups().get(group).rows();
    int exampleRows = layout.exampleRows();
    ParquetError.BAD_PARQUET.check(
        rows > 0 && rows % exampleRows == 0,
        in.path(),
        "row group %d has %d rows (expected a multiple of %d, the tokens of an example)",
        group,
        rows,
        exampleRows);
    List<Integer> layers = layout.geometry().layers();
    int column = 0;
    if (layout.unit() == RowUnit.VECTOR) {
      Sequence layer = new Sequence(in, footer, group, RowLayout.LAYER, Long.MAX_VALUE, 0);
      new Sequence(in, footer, group, RowLayout.TOKEN, 1, exampleRows).expect(0).read();
      long number = layer.read();
      ParquetError.BAD_PARQUET.check(
          number == (int) number,
          in.path(),
          "row group %d has layer %d (expected one of %s)",
          group,
          number,
          layers);
      layers = List.of((int) number);
      column = layout.geometry().requireLayer(layers.get(0), in.path());
    }
    Sequence example = new Sequence(in, footer, group, RowLayout.EXAMPLE, exampleRows, 0);
    RowGroupKeys keys = new RowGroupKeys(layers, column, example.read(), rows / exampleRows);
    ParquetError.BAD_PARQUET.check(
        keys.first >= 0 && keys.first <= layout.geometry().examples() - keys.examples,
        in.path(),
        "row group %d has %d examples from example %d on (expected at most %d examples in all)",
        group,
        keys.examples,
        keys.first,
        layout.geometry().examples());
    return keys;
  }

  /** The numbers of a column, which increase by one every {@code step} rows. */
  private static final class Sequence implements LongConsumer {
    private final Input in;
    private final TableFooter footer;
    private final int group;
    private final String column;
    private final long step;
    private final long modulus;
    private long row;
    private long first = ABSENT;
    private boolean isKnown;
    private long wrongRow = -1;
    private long wrong;

    /**
     * Creates a sequence.
     *
     * @param modulus the number at which the sequence restarts with 0; 0 if it never restarts
     */
    Sequence(Input in, TableFooter footer, int group, String column, long step, long modulus) {
      this.in = in;
      this.footer = footer;
      this.group = group;
      this.column = column;
      this.step = step;
      this.modulus = modulus;
    }

    Sequence expect(long number) {
      first = number;
      isKnown = true;
      return this;
    }

    private long expected(long at) {
      long number = first + at / step;
      return modulus == 0 ? number : number % modulus;
    }

    @Override
    public void accept(long number) {
      if (!isKnown) {
        expect(number);
      }
      if (wrongRow < 0 && (number != expected(row) || number == ABSENT)) {
        wrongRow = row;
        wrong = number;
      }
      row++;
    }

    /** Checks the column and returns its first number. */
    long read() throws IOException {
      new ColumnReader(in, footer, group, RowLayout.index(footer, column), new long[0])
          .readIntegers(ABSENT, this);
      if (wrongRow >= 0) {
        throw problem();
      }
      return first;
    }

    private FormatException problem() {
      String found = wrong == ABSENT ? "no " + column : column + " " + wrong;
      return ParquetError.UNORDERED_ROWS.in(
          in.path(),
          "row %d has %s (expected %s: rows in the order of %s)",
          footer.rowsBefore(group) + wrongRow,
          found,
          first == ABSENT ? "a number" : column + " " + expected(wrongRow),
          RowLayout.has(footer, RowLayout.LAYER) ? "layer, example and token" : "examples");
    }
  }
}
