package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.io.Folder;
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
 * The columns of a file that are read as arrays: integers, and either floats that are arrays in
 * each row or the columns that the user named.
 *
 * @param arrays the columns, in the order of the file
 * @param samples the indexes of the sample metadata columns
 * @param warnings warnings about columns that are not kept
 */
record TableArrays(
    TableFooter footer, List<Array> arrays, List<Integer> samples, List<String> warnings) {
  private static final int MAX_SHOWN = 100;
  private static final int MAX_LISTED = 5;

  /**
   * A column as an array whose first dimension counts the rows.
   *
   * @param column the index of the column in the footer
   * @param row the dimensions of the array in each row; empty for numbers
   * @param isRagged whether a row has several vectors, one for each token
   */
  record Array(int column, String name, DType dtype, List<Long> row, boolean isRagged) {
    /** Returns the number of bytes in each row. */
    long rowBytes() {
      return row.stream().reduce((long) dtype.bits() / Byte.SIZE, Math::multiplyExact);
    }

    /** Returns the shape of an array of the given number of rows. */
    List<Long> shape(long rows) {
      return LongStream.concat(LongStream.of(rows), row.stream().mapToLong(Long::longValue))
          .boxed()
          .toList();
    }
  }

  /**
   * Returns the index of a column that stores vectors in lists of different lengths, if there is
   * one.
   */
  OptionalInt ragged() {
    return arrays.stream()
        .filter(array -> array.isRagged && footer.columns().get(array.column).isFloat())
        .mapToInt(Array::column)
        .findFirst();
  }

  /** Returns the names of the arrays with lists of tokens, if the lengths of these lists differ. */
  Set<String> raggedNames() {
    return arrays.stream().filter(Array::isRagged).map(Array::name).collect(Collectors.toSet());
  }

  /**
   * Returns the number of tokens in each row of a row group; empty if all rows of the file have the
   * same number.
   *
   * @throws FormatException if arrays differ in the number of tokens of a row
   */
  Optional<RaggedRows> raggedRows(Input in, int group) throws IOException {
    OptionalInt vectors = ragged();
    if (vectors.isEmpty()) {
      return Optional.empty();
    }
    if (footer.rowGroups().get(group).rows() == 0) {
      return Optional.of(RaggedRows.NONE);
    }
    RaggedRows rows = RaggedRows.read(in, footer, group, vectors.getAsInt());
    for (Array array : arrays) {
      ParquetError.UNEQUAL_LENGTHS.check(
          !array.isRagged || rows.equals(RaggedRows.read(in, footer, group, array.column)),
          in.path(),
          "columns \"%s\" and \"%s\" have different numbers of tokens in row group %d (expected"
              + " the same, or --no-sample-metadata)",
          array.name,
          footer.columns().get(vectors.getAsInt()).name(),
          group);
    }
    return Optional.of(rows);
  }

  /** Returns the number of tokens in each row; empty if all rows have the same number. */
  Optional<RaggedRows> raggedRows(Input in) throws IOException {
    List<RaggedRows> groups = new ArrayList<>();
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      raggedRows(in, group).ifPresent(groups::add);
    }
    return groups.isEmpty() ? Optional.empty() : Optional.of(RaggedRows.join(in.path(), groups));
  }

  /**
   * Chooses the columns of a file, and finds the lengths of their lists.
   *
   * @param settings the settings, which can name the arrays; by default all arrays of floats
   */
  static TableArrays of(Input in, Settings settings) throws IOException {
    List<ArrayMapping> mappings = ArrayKeys.mappings(settings);
    TableFooter footer = TableFooter.read(in);
    if (footer.rows() == 0) {
      return new TableArrays(footer, List.of(), List.of(), List.of());
    }
    checkLayers(footer, mappings);
    RowMeaning unit = RowMeaning.of(footer, settings);
    List<Array> arrays = new ArrayList<>();
    List<Integer> samples = new ArrayList<>();
    List<String> others = new ArrayList<>(footer.others());
    for (int i = 0; i < footer.columns().size(); i++) {
      TableColumn column = footer.columns().get(i);
      boolean isOfTokens = PaddingMarks.isNamed(column.name()) || unit.isLabel(column);
      boolean isRagged = unit.isRagged(footer, i);
      Optional<List<Long>> row =
          isRagged && !column.isFloat()
              ? Optional.of(List.of())
              : row(in, footer, i, isRagged, settings);
      if (row.isPresent() && (isOfTokens || !unit.isSample(column))) {
        List<Long> own = row.get();
        arrays.add(
            new Array(
                i,
                column.name(),
                column.dtype(),
                isRagged && column.isFloat() ? own.subList(1, own.size()) : own,
                isRagged));
      } else if (unit.isExample() && column.isScalar() && !isOfTokens) {
        samples.add(i);
      } else {
        others.add(column.name());
      }
    }
    for (Array array : arrays) {
      ParquetError.LIMIT_EXCEEDED.check(
          footer.rows() <= Long.MAX_VALUE / Math.max(1, array.rowBytes()),
          in.path(),
          "column %s has %d rows of %d bytes (expected fewer, whose bytes can be counted)",
          Quote.show(array.name, MAX_SHOWN),
          footer.rows(),
          array.rowBytes());
    }
    checkMasks(in, others, settings);
    List<String> warnings = new ArrayList<>(warnings(others));
    if (RowLayout.has(footer, RowLayout.LAYER)) {
      warnings.add("rows are read as examples of one layer, whatever the column layer holds");
    }
    return new TableArrays(footer, arrays, samples, warnings);
  }

  /** Checks that masks are among the columns that are read. */
  private static void checkMasks(Input in, List<String> others, Settings settings)
      throws FormatException {
    for (String mask :
        settings.get(ArrayKeys.SAMPLE_METADATA) ? PaddingMarks.MASKS : List.<String>of()) {
      ParquetError.UNSUPPORTED_PARQUET.check(
          !others.contains(mask),
          in.path(),
          "column \"%s\" is not an integer mask (expected one, or --no-sample-metadata, which"
              + " ignores the column)",
          mask);
    }
  }

  /** Returns the dimensions of a column in each row; empty if it is not read as an array. */
  private static Optional<List<Long>> row(
      Input in, TableFooter footer, int index, boolean isRagged, Settings settings)
      throws IOException {
    TableColumn column = footer.columns().get(index);
    if (column.isOther()) {
      return Optional.empty();
    }
    List<ArrayMapping> mappings = ArrayKeys.mappings(settings);
    boolean isNamed =
        mappings.stream().anyMatch(mapping -> mapping.name().match(column.name()).isPresent());
    boolean isOfTokens =
        settings.get(ArrayKeys.SAMPLE_METADATA) && PaddingMarks.isNamed(column.name());
    boolean isLabel = column.name().equals(settings.get(ArrayKeys.LABEL_COLUMN));
    ParquetError.UNSUPPORTED_PARQUET.check(
        !isNamed || !column.isText(),
        in.path(),
        "column \"%s\" holds texts (expected numbers in lists)",
        Quote.show(column.name(), MAX_SHOWN));
    if (isNamed || (isOfTokens || isLabel) && !column.isText() && !column.isFloat()) {
      return Optional.of(row(in, footer, index, isRagged));
    }
    if (column.isFloat()) {
      return mappings.isEmpty() && column.isArray()
          ? Optional.of(row(in, footer, index, isRagged))
          : Optional.empty();
    }
    List<String> scalars = settings.get(ArrayKeys.SCALARS);
    return scalars != null && scalars.contains(column.name())
        ? Optional.empty()
        : integers(in, footer, index);
  }

  /**
   * Returns the dimensions of integers in each row; empty if the column contains strings, nulls, or
   * lists of different lengths.
   */
  private static Optional<List<Long>> integers(Input in, TableFooter footer, int index)
      throws IOException {
    if (footer.columns().get(index).isText() || !isComplete(in, footer, index)) {
      return Optional.empty();
    }
    try {
      return Optional.of(row(in, footer, index, false)).filter(own -> isEqual(footer, index, own));
    } catch (FormatException e) {
      if (e.kind() == ParquetError.MISSING_VALUE || e.kind() == ParquetError.UNEQUAL_LENGTHS) {
        return Optional.empty(); // the column is not kept, and a warning says so
      }
      throw e;
    }
  }

  /** Checks that rows of several layers are not mistaken for examples of one layer. */
  private static void checkLayers(TableFooter footer, List<ArrayMapping> mappings)
      throws FormatException {
    Optional<TableColumn> vectors =
        footer.columns().stream()
            .filter(column -> column.isFloat() && column.isArray())
            .findFirst();
    ArrayError.AMBIGUOUS.check(
        !mappings.isEmpty() || vectors.isEmpty() || !RowLayout.has(footer, RowLayout.LAYER),
        footer.path(),
        "has the column layer: rows may belong to several layers (expected --layer-column layer,"
            + " which reads them, or --tensor %s=dim, which reads each row as an example)",
        vectors.map(TableColumn::name).orElse(""));
  }

  /** Returns the warnings about columns that are not kept. */
  static List<String> warnings(List<String> others) {
    List<String> shown =
        others.stream().limit(MAX_LISTED).map(name -> Quote.show(name, MAX_SHOWN)).toList();
    return others.isEmpty()
        ? List.of()
        : List.of(
            "columns that are not kept: %s%s"
                .formatted(String.join(", ", shown), others.size() > MAX_LISTED ? ", ..." : ""));
  }

  /**
   * Returns the names of the columns that are neither lists nor per-token integers without nulls.
   */
  static Set<String> scalars(Folder folder, String file) throws IOException {
    Set<String> names = new HashSet<>();
    try (Input in = folder.open(file)) {
      TableFooter footer = TableFooter.read(in);
      if (footer.rows() == 0) {
        return names;
      }
      names.addAll(footer.others());
      for (int i = 0; i < footer.columns().size(); i++) {
        TableColumn column = footer.columns().get(i);
        if (column.isScalar() && (!column.isOfTokens() || !isComplete(in, footer, i))) {
          names.add(column.name());
        }
      }
    }
    return names;
  }

  /**
   * Returns whether a column has no nulls, according to the file or, if the file does not state the
   * number of nulls, according to the levels.
   */
  private static boolean isComplete(Input in, TableFooter footer, int column) throws IOException {
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      long nulls = footer.rowGroups().get(group).nulls().get(column);
      if (nulls > 0
          || nulls == TableFooter.UNKNOWN
              && !new ColumnReader(in, footer, group, column, new long[0]).isComplete()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all rows can be arrays with the dimensions of the first row. */
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

  private static List<Long> row(Input in, TableFooter footer, int index, boolean isRagged)
      throws IOException {
    TableColumn column = footer.columns().get(index);
    List<Long> row = new ArrayList<>();
    if (column.lists() > 0) {
      Arrays.stream(lengths(in, footer, index, isRagged)).forEach(row::add);
    }
    if (column.isVector()) {
      row.add((long) column.elements());
    }
    return row;
  }

  /** Returns the lengths of the lists of the first row that has elements. */
  private static long[] lengths(Input in, TableFooter footer, int index, boolean isRagged)
      throws IOException {
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      if (footer.rowGroups().get(group).rows() > 0) {
        long[] lengths =
            isRagged
                ? ColumnReader.firstList(in, footer, group, index)
                : ColumnReader.firstRow(in, footer, group, index);
        if (lengths[0] > 0) {
          return lengths;
        }
      }
    }
    throw ParquetError.MISSING_VALUE.in(
        in.path(),
        "column %s has only empty lists (expected at least one vector in a file)",
        Quote.show(footer.columns().get(index).name(), MAX_SHOWN));
  }

  /**
   * Returns the description of a staged row group.
   *
   * @param name the name of the file whose sidecar has the sample metadata, if there is any
   */
  StagedGroup staged(Input in, String path, int group, String data, long offset, String name)
      throws IOException {
    Optional<RaggedRows> ragged = raggedRows(in, group);
    long tokens = ragged.map(RaggedRows::tokens).orElse(StagedGroup.OF_ROWS);
    return new StagedGroup(
        path,
        group,
        footer.rowGroups().get(group).rows(),
        data,
        offset,
        arrays.stream().map(array -> StagedGroup.StagedArray.of(array, tokens)).toList(),
        warnings,
        ragged.orElse(null),
        null,
        null,
        samples.isEmpty() || footer.rowGroups().get(group).rows() == 0 ? null : name);
  }

  /** Reads a column of a row group, in which all rows must have the dimensions of the array. */
  void read(Input in, int group, Array array, ColumnReader.Sink sink) throws IOException {
    int lists = footer.columns().get(array.column).lists();
    long[] row = array.row.stream().mapToLong(Long::longValue).toArray();
    if (array.isRagged) {
      long[] lengths = new long[lists];
      System.arraycopy(row, 0, lengths, 1, lists - 1);
      new ColumnReader(in, footer, group, array.column, lengths).ragged().read(sink);
      return;
    }
    long[] lengths = Arrays.copyOf(row, lists);
    new ColumnReader(in, footer, group, array.column, lengths).read(sink);
  }

  /**
   * Writes the sample metadata of a row group, if there is any.
   *
   * @param name the name of the sidecar, but with another extension
   */
  void writeSamples(Input in, int group, Folder target, String name, Path localFolder)
      throws IOException {
    if (!samples.isEmpty() && footer.rowGroups().get(group).rows() > 0) {
      SampleStaging.write(in, footer, group, samples, target, name, localFolder);
    }
  }
}
