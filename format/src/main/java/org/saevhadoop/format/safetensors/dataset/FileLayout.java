package org.saevhadoop.format.safetensors.dataset;

import java.util.HashSet;
import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/** Arrangement of examples in the tensors of one file. */
interface FileLayout {
  long examples();

  List<Column> columns();

  /** Returns whether the file has these columns, in any order. */
  default boolean hasColumns(List<Column> others) {
    return columns().size() == others.size()
        && new HashSet<>(columns()).equals(new HashSet<>(others));
  }

  /**
   * Returns the offsets of the blocks.
   *
   * @param columns all columns, in the order of the column indexes of the result
   * @param dataStart the offset in the file to which the tensor offsets are relative
   */
  BlockOffsets placement(List<Column> columns, long dataStart);

  /** Interprets a header as examples. */
  static FileLayout of(String path, SafetensorsHeader header, TensorLayout layout, String separator)
      throws FormatException {
    return layout == TensorLayout.BATCH
        ? BatchFile.of(path, header)
        : KeyedFile.of(path, header, separator);
  }
}
