package org.saevhadoop.format.safetensors.dataset;

import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;

/**
 * Which tensors take the columns of a table.
 *
 * @param columns what an example has in the file
 * @param places for each column of the table its place among them
 * @param inner where its block begins in the file's
 */
record FileColumns(List<Column> columns, int[] places, long[] inner) {
  static FileColumns of(TableShape table, Columns columns) {
    int count = table.columns().size();
    int[] places = new int[count];
    long[] inner = new long[count];
    if (columns == Columns.LAYERS) {
      for (int i = 0; i < count; i++) {
        places[i] = i;
      }
      return new FileColumns(table.columns(), places, inner);
    }
    Column first = table.columns().get(0);
    if (!isActivations(table) || first.shape().size() != 2) {
      throw new IllegalArgumentException(
          "columns %s can not be one tensor acts (expected layers)".formatted(table.columns()));
    }
    for (int i = 0; i < count; i++) {
      inner[i] = i * first.bytes();
    }
    List<Long> shape = List.of((long) count, first.shape().get(0), first.shape().get(1));
    Column acts = new Column(ActivationColumns.ACTS_NAME, first.dtype(), shape);
    return new FileColumns(List.of(acts), places, inner);
  }

  /** Whether the columns of a table are layers. */
  static boolean isActivations(TableShape table) {
    Column first = table.columns().get(0);
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      if (!column.name().equals(Geometry.LAYER_PREFIX + table.numbers().get(i))
          || column.dtype() != first.dtype()
          || !column.shape().equals(first.shape())) {
        return false;
      }
    }
    return true;
  }

  /** Where the table's blocks lie, from where the file's do. */
  BlockOffsets placement(BlockOffsets file) {
    return (index, column) -> file.offset(index, places[column]) + inner[column];
  }
}
