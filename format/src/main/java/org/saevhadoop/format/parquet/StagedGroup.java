package org.saevhadoop.format.parquet;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * A staged row group: its columns as arrays, one after another.
 *
 * @param path the path of the Parquet file, relative to the folder of the dataset
 * @param group the index of the row group in the file
 * @param rows the number of rows of the arrays, or the number of examples if there are keys
 * @param data the name of the file with the arrays
 * @param offset the position of the first array in that file, in bytes
 * @param arrays the arrays, which are the same in all row groups of a file
 * @param warnings warnings about columns that are not kept
 * @param ragged the number of tokens in each row; null if all rows have the same number
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
    @Nullable RaggedRows ragged,
    @Nullable RowGroupKeys keys,
    @Nullable String ids,
    @Nullable String samples) {
  /** The value of {@code tokens} for arrays whose first dimension counts rows. */
  static final long OF_ROWS = -1;

  /** The order of the row groups of a file: by layer and example, or by index. */
  static final Comparator<StagedGroup> ORDER =
      Comparator.comparingInt((StagedGroup own) -> own.keys == null ? 0 : own.keys.column())
          .thenComparingLong(own -> own.keys == null ? own.group : own.keys.first());

  /** Returns the array with the given name; empty if there is none. */
  Optional<StagedArray> array(String name) {
    return arrays.stream().filter(own -> own.name().equals(name)).findFirst();
  }

  /** Returns the number of elements of an array along its first dimension. */
  long length(StagedArray array) {
    return array.tokens == OF_ROWS ? rows : array.tokens;
  }

  /**
   * An array.
   *
   * @param row the dimensions of the array for each row or each token
   * @param rowBytes the number of bytes for each row or each token
   * @param tokens the total number of tokens in all rows; {@link #OF_ROWS} if the first dimension
   *     of the array counts rows
   */
  record StagedArray(String name, DType dtype, List<Long> row, long rowBytes, long tokens) {
    /** Creates an array whose first dimension counts the rows. */
    StagedArray(String name, DType dtype, List<Long> row, long rowBytes) {
      this(name, dtype, row, rowBytes, OF_ROWS);
    }

    /**
     * Creates the array of a column.
     *
     * @param tokens the total number of tokens in all rows
     */
    static StagedArray of(TableArrays.Array array, long tokens) {
      return new StagedArray(
          array.name(),
          array.dtype(),
          array.row(),
          array.rowBytes(),
          array.isRagged() ? tokens : OF_ROWS);
    }
  }
}
