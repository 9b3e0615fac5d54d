package org.saevhadoop.format.safetensors;

import java.util.List;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.io.FormatException;

/** How the tensors of one file hold examples. */
interface PartLayout {
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
  Placement placement(List<Column> columns, long dataStart);

  /** Reads a header as examples. */
  static PartLayout of(String path, SafetensorsHeader header, Layout layout, String separator)
      throws FormatException {
    return layout == Layout.BATCH
        ? BatchPart.of(path, header)
        : KeyedPart.of(path, header, separator);
  }
}
