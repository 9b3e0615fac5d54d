package org.saevhadoop.format.safetensors.dataset;

import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/** How the tensors of one file hold examples. */
interface FileLayout {
  /** Examples of the file. */
  long examples();

  /** The columns, in the order in which the file has them. */
  List<Column> columns();

  /**
   * Where the blocks lie.
   *
   * @param columns all columns, in the order of those that the placement is asked for
   * @param dataStart the byte from which the tensors' offsets count
   */
  BlockOffsets placement(List<Column> columns, long dataStart);

  /** Reads a header as examples. */
  static FileLayout of(String path, SafetensorsHeader header, TensorLayout layout, String separator)
      throws FormatException {
    return layout == TensorLayout.BATCH
        ? BatchFile.of(path, header)
        : KeyedFile.of(path, header, separator);
  }
}
