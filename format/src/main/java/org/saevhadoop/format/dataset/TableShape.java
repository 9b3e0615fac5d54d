package org.saevhadoop.format.dataset;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Quote;

/**
 * General shape of a dataset: examples with the same columns. Activations are a table whose columns
 * are the layers. A block is the data of one example in one column.
 *
 * @param columnIds the numbers by which records identify the columns: the layer numbers of the
 *     model for activations, otherwise 0, 1, 2, ...
 */
@PublicApi
public record TableShape(long examples, List<Column> columns, List<Integer> columnIds) {
  /** The column id of a record that contains a whole example. */
  public static final int ALL_COLUMNS = Integer.MIN_VALUE;

  public TableShape {
    columns = List.copyOf(columns);
    columnIds = List.copyOf(columnIds);
    if (examples < 0 || columns.size() != columnIds.size()) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "no dataset has %d examples, columns %s with the ids %s",
              examples, columns, columnIds));
    }
    if (new HashSet<>(columnIds).size() < columnIds.size()) {
      throw new IllegalArgumentException("a column is listed twice in " + columnIds);
    }
    long example = 0;
    for (Column column : columns) {
      example = Math.addExact(example, column.bytes());
    }
    Math.multiplyExact(example, Math.max(1, examples));
  }

  /** Creates a shape whose columns are identified by their index. */
  public TableShape(long examples, List<Column> columns) {
    this(examples, columns, IntStream.range(0, columns.size()).boxed().toList());
  }

  /** Returns the size in bytes of a block of a column. */
  public long blockBytes(int column) {
    return columns.get(column).bytes();
  }

  /** Returns the size in bytes of an example with all its columns. */
  public long exampleBytes() {
    return columns.stream().mapToLong(Column::bytes).sum();
  }

  /**
   * Returns whether the name of a column is the name of the layer whose number is the column's id.
   */
  public boolean isLayer(int column) {
    return columns.get(column).name().equals(Geometry.LAYER_PREFIX + columnIds.get(column));
  }

  /**
   * Returns a map from each item of a list to its index, for example from column names to column
   * indexes.
   */
  public static <T> Map<T, Integer> positions(List<T> items) {
    Map<T, Integer> positions = new HashMap<>();
    for (T item : items) {
      positions.putIfAbsent(item, positions.size());
    }
    return positions;
  }

  /** Returns a description of a block for error messages. */
  public String describe(long example, int column) {
    return "example %d %s"
        .formatted(example, columns.get(column).name().replace("layer_", "layer "));
  }

  /** Returns a table with the same columns and a different number of examples. */
  public TableShape withExamples(long count) {
    return new TableShape(count, columns, columnIds);
  }
}
