package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.file.ChunkPages;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * The columns of a file that are read as arrays: integers, and floats that are arrays in each row,
 * or those that the user has named.
 *
 * @param arrays the columns, in the order of the file
 * @param warnings what is not kept
 */
record TableArrays(TableFooter footer, List<Array> arrays, List<String> warnings) {
  private static final int MAX_SHOWN = 100;
  private static final int MAX_LISTED = 5;

  /**
   * A column as an array whose first dimension is that of the rows.
   *
   * @param column the index of the column in the footer
   * @param row the dimensions of the array in each row; empty for numbers
   */
  record Array(int column, String name, DType dtype, List<Long> row) {
    /** Returns the number of bytes in each row. */
    long rowBytes() {
      return row.stream().reduce((long) dtype.bits() / Byte.SIZE, Math::multiplyExact);
    }

    /** Returns the dimensions of the array of some rows. */
    List<Long> shape(long rows) {
      return LongStream.concat(LongStream.of(rows), row.stream().mapToLong(Long::longValue))
          .boxed()
          .toList();
    }
  }

  /**
   * Chooses the columns of a file, and finds the lengths of their lists.
   *
   * @param settings may name the arrays; otherwise all arrays of floats are chosen
   */
  static TableArrays of(Input in, Settings settings) throws IOException {
    List<ArrayMapping> mappings = ArrayKeys.mappings(settings);
    TableFooter footer = TableFooter.read(in);
    if (footer.rows() == 0) {
      return new TableArrays(footer, List.of(), List.of());
    }
    checkLayers(footer, mappings);
    List<Array> arrays = new ArrayList<>();
    List<String> others = new ArrayList<>(footer.others());
    for (int i = 0; i < footer.columns().size(); i++) {
      TableColumn column = footer.columns().get(i);
      boolean isNamed =
          mappings.stream().anyMatch(mapping -> mapping.name().match(column.name()).isPresent());
      boolean isOfTokens =
          settings.get(ArrayKeys.SAMPLE_METADATA) && PaddingMarks.isNamed(column.name());
      Optional<List<Long>> row =
          column.isFloat()
              ? isNamed || mappings.isEmpty() && column.isArray()
                  ? Optional.of(row(in, footer, i))
                  : Optional.empty()
              : isNamed || isOfTokens && !column.isText()
                  ? Optional.of(row(in, footer, i))
                  : integers(in, footer, i);
      if (row.isPresent()) {
        arrays.add(new Array(i, column.name(), column.dtype(), row.get()));
      } else {
        others.add(column.name());
      }
    }
    for (String mask :
        settings.get(ArrayKeys.SAMPLE_METADATA) ? PaddingMarks.MASKS : List.<String>of()) {
      ParquetError.UNSUPPORTED_PARQUET.check(
          !others.contains(mask),
          in.path(),
          "column \"%s\" is no mask of integers (expected one, or --no-sample-metadata, which reads"
              + " the vectors without it)",
          mask);
    }
    List<String> warnings = new ArrayList<>(warnings(others));
    if (RowLayout.has(footer, RowLayout.LAYER)) {
      warnings.add("rows are read as examples of one layer, whatever the column layer has");
    }
    return new TableArrays(footer, arrays, warnings);
  }

  /**
   * Returns the dimensions of integers in each row; empty if they are texts, may have nulls, or are
   * lists of different lengths.
   */
  private static Optional<List<Long>> integers(Input in, TableFooter footer, int index)
      throws IOException {
    if (footer.columns().get(index).isText() || !isComplete(footer, index)) {
      return Optional.empty();
    }
    try {
      return Optional.of(row(in, footer, index)).filter(own -> isEqual(footer, index, own));
    } catch (FormatException e) {
      if (e.kind() == ParquetError.MISSING_VALUE || e.kind() == ParquetError.UNEQUAL_LENGTHS) {
        return Optional.empty(); // not kept, with a warning
      }
      throw e;
    }
  }

  /** Checks that rows of several layers are not taken for examples of one. */
  private static void checkLayers(TableFooter footer, List<ArrayMapping> mappings)
      throws FormatException {
    Optional<TableColumn> vectors =
        footer.columns().stream()
            .filter(column -> column.isFloat() && column.isArray())
            .findFirst();
    ArrayError.AMBIGUOUS.check(
        !mappings.isEmpty() || vectors.isEmpty() || !RowLayout.has(footer, RowLayout.LAYER),
        footer.path(),
        "has the column layer: rows may be of several layers (expected files of one layer, or"
            + " --tensor %s=dim, by which each row is an example)",
        vectors.map(TableColumn::name).orElse(""));
  }

  private static List<String> warnings(List<String> others) {
    List<String> shown =
        others.stream().limit(MAX_LISTED).map(name -> Quote.show(name, MAX_SHOWN)).toList();
    return others.isEmpty()
        ? List.of()
        : List.of(
            "columns that are not kept: %s%s"
                .formatted(String.join(", ", shown), others.size() > MAX_LISTED ? ", ..." : ""));
  }

  private static boolean isComplete(TableFooter footer, int column) {
    return footer.rowGroups().stream().allMatch(group -> group.nulls().get(column) == 0);
  }

  /** Returns whether all rows may be arrays of the dimensions of the first one. */
  private static boolean isEqual(TableFooter footer, int column, List<Long> row) {
    long elements = row.stream().reduce(1L, Math::multiplyExact);
    for (TableFooter.RowGroup group : footer.rowGroups()) {
      ChunkPages chunk = group.chunks().get(column);
      if (chunk.values() != group.rows() * elements) {
        return false;
      }
    }
    return true;
  }

  private static List<Long> row(Input in, TableFooter footer, int index) throws IOException {
    TableColumn column = footer.columns().get(index);
    List<Long> row = new ArrayList<>();
    if (column.lists() > 0) {
      int group = 0;
      while (footer.rowGroups().get(group).rows() == 0) {
        group++;
      }
      long[] lengths = ColumnReader.firstRow(in, footer, group, index);
      Arrays.stream(lengths).forEach(row::add);
    }
    if (column.elements() > 1) {
      row.add((long) column.elements());
    }
    return row;
  }

  /** Returns the description of a row group that is staged. */
  StagedGroup staged(String path, int group, String data, long offset) {
    return new StagedGroup(
        path,
        group,
        footer.rowGroups().get(group).rows(),
        data,
        offset,
        arrays.stream().map(StagedGroup.StagedArray::of).toList(),
        warnings,
        null,
        null,
        null);
  }

  /** Reads a column of a row group, in which all rows must have the dimensions of the array. */
  void read(Input in, int group, Array array, ColumnReader.Sink sink) throws IOException {
    int lists = footer.columns().get(array.column).lists();
    long[] lengths = array.row.stream().limit(lists).mapToLong(Long::longValue).toArray();
    new ColumnReader(in, footer, group, array.column, lengths).read(sink);
  }
}
