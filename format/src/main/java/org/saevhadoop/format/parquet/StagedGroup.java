package org.saevhadoop.format.parquet;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * A row group that is staged: its columns, one after the other, as arrays.
 *
 * @param path the path of the Parquet file, relative to the folder of the dataset
 * @param group the index of the row group in the file
 * @param rows the number of rows
 * @param data the name of the file with the arrays
 * @param offset the position of the first array in that file, in bytes
 * @param arrays the arrays, which all row groups of a file have in common
 * @param warnings what is not kept of the file
 */
record StagedGroup(
    String path,
    int group,
    long rows,
    String data,
    long offset,
    List<StagedArray> arrays,
    List<String> warnings) {
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
