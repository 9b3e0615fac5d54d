package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.tensor.DType;

/**
 * The columns of a file whose rows are vectors of several layers.
 *
 * @param vectors the index of the vector column in the footer
 * @param layer the index of the column that contains the layer numbers
 * @param example the index of the column {@code example}; empty if rows are examples in their order
 * @param token the index of the column {@code token}; empty if rows are whole examples
 * @param label the index of the label column; empty if there is none
 * @param integers the indexes of all other integer columns, which contain per-token integers
 * @param row the dimensions of the vectors in each row; empty in a file without rows
 */
public record LayerColumns(
    TableFooter footer,
    int vectors,
    int layer,
    OptionalInt example,
    OptionalInt token,
    OptionalInt label,
    List<Integer> integers,
    List<Long> row) {
  /** Represents a null. */
  static final long ABSENT = Long.MIN_VALUE;

  /** The maximum number of dimensions: rows, tokens and dim. */
  private static final int MAX_RANK = 3;

  private static final String EXAMPLE = "example";
  private static final String TOKEN = "token";

  /** The default name of the label column. */
  public static final String LABEL = "label";

  /** Columns that this project writes to describe sample metadata. */
  private static final Set<String> OF_SAMPLES = Set.of("sample", "whole", "position");

  /**
   * Chooses the columns of a file.
   *
   * @param layer the name of the column that contains the layer numbers
   * @param labels the name of the label column; empty for {@code label}, if there is one
   * @param mappings the name of the vector column; empty if there is only one
   */
  public static LayerColumns of(
      Input in, String layer, Optional<String> labels, List<ArrayMapping> mappings)
      throws IOException {
    TableFooter footer = TableFooter.read(in);
    int vectors = vectors(footer, mappings);
    OptionalInt layers = numbers(footer, layer);
    check(footer, layers, layer, "--layer-column");
    OptionalInt example = numbers(footer, EXAMPLE);
    OptionalInt token = numbers(footer, TOKEN);
    ParquetError.UNORDERED_ROWS.check(
        example.isPresent() || token.isEmpty(),
        footer.path(),
        "has a column token, but no integer column example (expected both or neither)");
    OptionalInt label = numbers(footer, labels.orElse(LABEL));
    if (labels.isPresent()) {
      check(footer, label, labels.get(), "--label-column");
    }
    List<Integer> integers =
        IntStream.range(0, footer.columns().size())
            .filter(i -> isOfTokens(footer.columns().get(i)))
            .filter(i -> i != layers.getAsInt() && i != label.orElse(-1))
            .filter(i -> i != example.orElse(-1) && i != token.orElse(-1))
            .boxed()
            .toList();
    List<Long> row = row(in, footer, vectors);
    check(footer, vectors, mappings, token.isPresent());
    return new LayerColumns(
        footer, vectors, layers.getAsInt(), example, token, label, integers, row);
  }

  private static void check(TableFooter footer, OptionalInt found, String name, String option)
      throws FormatException {
    ParquetError.UNORDERED_ROWS.check(
        found.isPresent(),
        footer.path(),
        "has no integer column \"%s\" (expected one, because %s names it)",
        name,
        option);
  }

  /**
   * Returns the index of an integer column; empty if there is no column with that name.
   *
   * @throws FormatException if the column has other values: if it were treated as absent, rows
   *     would be paired by their order
   */
  private static OptionalInt numbers(TableFooter footer, String name) throws FormatException {
    OptionalInt index =
        IntStream.range(0, footer.columns().size())
            .filter(i -> footer.columns().get(i).name().equals(name))
            .findFirst();
    Optional<TableColumn> column =
        index.isPresent() ? Optional.of(footer.columns().get(index.getAsInt())) : Optional.empty();
    ParquetError.UNORDERED_ROWS.check(
        column.map(TableColumn::isInteger).orElse(!footer.others().contains(name)),
        footer.path(),
        "column \"%s\" has %s (expected integers)",
        name,
        column.map(LayerColumns::content).orElse("values of a type that is not read"));
    return index;
  }

  private static String content(TableColumn column) {
    if (column.isText()) {
      return "texts";
    }
    if (column.isOther()) {
      return "values of a type that is not read";
    }
    return (column.isArray() ? "arrays of " : "values of type ") + column.dtype();
  }

  /** Returns whether a column is a token array whose integers fit in a {@code long}. */
  private static boolean isOfTokens(TableColumn column) {
    return column.isInteger() && column.dtype() != DType.U64 && !OF_SAMPLES.contains(column.name());
  }

  private static int vectors(TableFooter footer, List<ArrayMapping> mappings)
      throws FormatException {
    List<TableColumn> all = footer.columns();
    int[] found =
        IntStream.range(0, all.size())
            .filter(i -> all.get(i).isFloat() && all.get(i).isArray())
            .filter(
                i ->
                    mappings.isEmpty()
                        || mappings.stream()
                            .anyMatch(own -> own.name().match(all.get(i).name()).isPresent()))
            .toArray();
    ArrayError.AMBIGUOUS.check(
        found.length == 1,
        footer.path(),
        "has the columns of vectors %s (expected exactly one, which --tensor NAME=dim names)",
        Arrays.stream(found).mapToObj(i -> all.get(i).name()).toList());
    return found[0];
  }

  /** Checks that rows are vectors, or the vectors of all tokens if no column numbers tokens. */
  private static void check(
      TableFooter footer, int vectors, List<ArrayMapping> mappings, boolean hasTokens)
      throws FormatException {
    TableColumn column = footer.columns().get(vectors);
    List<Axis> axes = column.rank() == 2 ? List.of(Axis.DIM) : List.of(Axis.TOKEN, Axis.DIM);
    ArrayError.BAD_SHAPE.check(
        column.rank() <= MAX_RANK
            && (axes.size() == 1 || !hasTokens)
            && mappings.stream().allMatch(own -> axesOfRow(own).equals(axes)),
        footer.path(),
        "column \"%s\" has arrays of %d dimensions in each row (expected NAME=dim, or NAME=token,dim"
            + " without a column token)",
        column.name(),
        column.rank() - 1);
  }

  private static List<Axis> axesOfRow(ArrayMapping mapping) {
    return mapping.axes().stream().filter(axis -> axis != Axis.EXAMPLE).toList();
  }

  private static List<Long> row(Input in, TableFooter footer, int vectors) throws IOException {
    TableColumn column = footer.columns().get(vectors);
    List<Long> row = new ArrayList<>();
    if (footer.rows() > 0) {
      int group = 0;
      while (footer.rowGroups().get(group).rows() == 0) {
        group++;
      }
      Arrays.stream(ColumnReader.firstRow(in, footer, group, vectors)).forEach(row::add);
      if (column.isVector()) {
        row.add((long) column.elements());
      }
    }
    return row;
  }

  DType dtype() {
    return footer.columns().get(vectors).dtype();
  }

  /** Returns the number of tokens in each row. */
  int rowTokens() {
    return row.size() == 2 ? Math.toIntExact(row.get(0)) : 1;
  }

  int dim() {
    return Math.toIntExact(row.get(row.size() - 1));
  }

  long rowBytes() {
    return row.stream().reduce((long) dtype().bits() / Byte.SIZE, Math::multiplyExact);
  }

  List<String> integerNames() {
    return integers.stream().map(i -> footer.columns().get(i).name()).toList();
  }

  /**
   * Reads the integers of a column in a row group.
   *
   * @param absent the number that represents a null; {@link #ABSENT} to distinguish nulls from all
   *     integers
   * @throws FormatException if {@code absent} is {@link #ABSENT} and the column contains it
   */
  void read(Input in, int group, int column, long absent, LongConsumer sink) throws IOException {
    new ColumnReader(in, footer, group, column, new long[0])
        .readIntegers(
            (isPresent, number) -> {
              if (isPresent && number == ABSENT && absent == ABSENT) {
                throw ParquetError.UNORDERED_ROWS.in(
                    in.path(),
                    "column \"%s\" has the integer %d (expected null for rows without a number)",
                    footer.columns().get(column).name(),
                    number);
              }
              sink.accept(isPresent ? number : absent);
            });
  }

  /** Reads the vectors of a row group. */
  public void readVectors(Input in, int group, ColumnReader.Sink sink) throws IOException {
    int lists = footer.columns().get(vectors).lists();
    long[] lengths = row.stream().limit(lists).mapToLong(Long::longValue).toArray();
    new ColumnReader(in, footer, group, vectors, lengths).read(sink);
  }

  /** Checks the numbers of all rows of a row group without storing them. */
  public void readNumbers(Input in, int group) throws IOException {
    for (int column : numbers()) {
      read(in, group, column, 0, number -> {});
    }
  }

  /** Returns the indexes of all columns that are read, except the vector column. */
  private Set<Integer> numbers() {
    Set<Integer> numbers = new TreeSet<>(integers);
    numbers.add(layer);
    example.ifPresent(numbers::add);
    token.ifPresent(numbers::add);
    label.ifPresent(numbers::add);
    return numbers;
  }

  /** Returns the names of columns that are not read. */
  List<String> others() {
    Set<Integer> numbers = numbers();
    List<String> others = new ArrayList<>(footer.others());
    for (int i = 0; i < footer.columns().size(); i++) {
      if (i != vectors && !numbers.contains(i)) {
        others.add(footer.columns().get(i).name());
      }
    }
    return others;
  }
}
