package org.saevhadoop.format.parquet;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * A row group that is staged: its columns, one after the other, as arrays.
 *
 * @param path the path of the Parquet file, relative to the folder of the dataset
 * @param group the index of the row group in the file
 * @param rows the number of rows of the arrays: of examples if there are keys
 * @param data the name of the file with the arrays
 * @param offset the position of the first array in that file, in bytes
 * @param arrays the arrays, which all row groups of a file have in common
 * @param warnings what is not kept of the file
 * @param keys the layer and the examples of the row group; null if its columns are read as arrays
 * @param ids the name of the file with the ids of the examples; null for none
 * @param samples the name of the file whose sidecar has the sample metadata; null for none
 */
record StagedGroup(
    String path,
    int group,
    long rows,
    String data,
    long offset,
    List<StagedArray> arrays,
    List<String> warnings,
    @Nullable RowGroupKeys keys,
    @Nullable String ids,
    @Nullable String samples) {
  /** The order of the row groups of a file: that of layers and examples, or that of the file. */
  static final Comparator<StagedGroup> ORDER =
      Comparator.comparingInt((StagedGroup own) -> own.keys == null ? 0 : own.keys.column())
          .thenComparingLong(own -> own.keys == null ? own.group : own.keys.first());

  /** Returns whether there is an array with a name. */
  boolean has(String array) {
    return arrays.stream().anyMatch(own -> own.name().equals(array));
  }

  /**
   * An array.
   *
   * @param row the dimensions of the array in each row
   * @param rowBytes the number of bytes in each row
   */
  record StagedArray(String name, DType dtype, List<Long> row, long rowBytes) {
    static StagedArray of(TableArrays.Array array) {
      return new StagedArray(array.name(), array.dtype(), array.row(), array.rowBytes());
    }
  }
}
