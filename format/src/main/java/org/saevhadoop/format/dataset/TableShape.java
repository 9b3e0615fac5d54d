package org.saevhadoop.format.dataset;

import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The shape of a dataset in general: examples, each with the same columns. Activations are a table
 * whose columns are the layers. A block is what one example has of one column.
 *
 * @param examples how many examples there are
 * @param columns what each of them has
 * @param numbers what records call the columns: the layers as the model counts them, else 0, 1, 2
 */
public record TableShape(long examples, List<Column> columns, List<Integer> numbers) {
  public TableShape {
    columns = List.copyOf(columns);
    numbers = List.copyOf(numbers);
    if (examples < 0 || columns.size() != numbers.size()) {
      throw new IllegalArgumentException(
          "no dataset has %d examples, columns %s of numbers %s"
              .formatted(examples, columns, numbers));
    }
    if (new HashSet<>(numbers).size() < numbers.size()) {
      throw new IllegalArgumentException("a column is listed twice in " + numbers);
    }
    long example = 0;
    for (Column column : columns) {
      example = Math.addExact(example, column.bytes());
    }
    Math.multiplyExact(example, Math.max(1, examples));
  }

  /** Columns that are known by their place. */
  public TableShape(long examples, List<Column> columns) {
    this(examples, columns, IntStream.range(0, columns.size()).boxed().toList());
  }

  /** Bytes of one example's block of a column. */
  public long blockBytes(int column) {
    return columns.get(column).bytes();
  }

  /** Bytes of one example with all its columns. */
  public long exampleBytes() {
    long bytes = 0;
    for (Column column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /** The place of the column that records call {@code number}; -1 where there is none. */
  public int indexOf(int number) {
    if (number >= 0 && number < numbers.size() && numbers.get(number) == number) {
      return number; // of many columns, each is asked for
    }
    return numbers.indexOf(number);
  }

  /** What errors call a block. */
  public String describe(long example, int column) {
    return "example %d %s"
        .formatted(example, columns.get(column).name().replace("layer_", "layer "));
  }

  /** The same columns of another number of examples. */
  public TableShape withExamples(long count) {
    return new TableShape(count, columns, numbers);
  }
}
