package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Assignment of the columns of a table to the tensors of a file.
 *
 * @param columns the columns of the file, without the leading dimension
 * @param positions the index of the file column for each table column
 * @param inner the offset of the block of each table column in the block of its file column
 */
record FileColumns(List<Column> columns, int[] positions, long[] inner) {
  static FileColumns of(TableShape table, Columns columns) {
    int count = table.columns().size();
    int[] positions = new int[count];
    long[] inner = new long[count];
    if (columns == Columns.ROWS && !BatchWritePlan.mayBeRows(table)) {
      throw new IllegalArgumentException(
          "columns %s cannot be rows (expected layers of one token)".formatted(table.columns()));
    }
    if (columns != Columns.ACTS) {
      for (int i = 0; i < count; i++) {
        positions[i] = i;
      }
      return new FileColumns(
          table.columns().stream().map(columns::shaped).toList(), positions, inner);
    }
    Column first = table.columns().get(0);
    if (!isActivations(table) || first.shape().size() != 2) {
      throw new IllegalArgumentException(
          "columns %s cannot be one tensor acts (expected layers)".formatted(table.columns()));
    }
    for (int i = 0; i < count; i++) {
      inner[i] = i * first.bytes();
    }
    List<Long> shape = List.of((long) count, first.shape().get(0), first.shape().get(1));
    Column acts = new Column(Column.ACTS, first.dtype(), shape);
    return new FileColumns(List.of(acts), positions, inner);
  }

  /** Returns the columns of a file, with the labels unless they are null. */
  static List<Column> withLabels(TableShape table, Columns columns, @Nullable LabelSource labels) {
    List<Column> all = new ArrayList<>(of(table, columns).columns());
    if (labels != null) {
      List<Long> shape = List.of((long) labels.patches());
      all.add(columns.shaped(new Column(Column.LABELS, DType.U8, shape)));
    }
    return all;
  }

  /** Returns the columns of per-token integers. */
  static List<Column> ofTokens(TokenArrays arrays, Columns columns) {
    return arrays.names().stream()
        .map(name -> columns.shaped(new Column(name, DType.I64, List.of((long) arrays.tokens()))))
        .toList();
  }

  static boolean isActivations(TableShape table) {
    Column first = table.columns().get(0);
    return IntStream.range(0, table.columns().size()).allMatch(table::isLayer)
        && table.columns().stream()
            .allMatch(c -> c.dtype() == first.dtype() && c.shape().equals(first.shape()));
  }

  /** Converts block offsets of file columns into block offsets of table columns. */
  BlockOffsets placement(BlockOffsets file) {
    return (index, column) -> file.offset(index, positions[column]) + inner[column];
  }
}
