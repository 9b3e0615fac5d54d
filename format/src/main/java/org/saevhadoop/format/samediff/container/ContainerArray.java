package org.saevhadoop.format.samediff.container;

import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.samediff.sdnb.StoredArray;
import org.saevhadoop.format.tensor.DType;

/**
 * An array of a container.
 *
 * @param part the SDNB file that contains the values of the array
 * @param array the array in that file
 */
public record ContainerArray(ContainerPart part, StoredArray array) {
  /** Returns the name of the variable. */
  public String name() {
    return array.name();
  }

  /**
   * Returns the type of the values.
   *
   * @param path the path for messages
   * @param shown the name for messages
   * @throws FormatException if the type has no defined encoding
   */
  public DType dtype(String path, String shown) throws FormatException {
    return array
        .type()
        .dtype()
        .orElseThrow(
            () ->
                DatasetError.UNSUPPORTED.in(
                    path,
                    "array %s has the type %s, whose encoding is not defined",
                    shown,
                    array.type()));
  }

  /** Returns the location of the values. */
  public StoredElements<ContainerPart> stored() {
    return new StoredElements<>(part, array.layout());
  }

  /** Returns the offset of the first byte of the array in the file, or in the compressed entry. */
  public long fileOffset() {
    return part.offset() + array.offset();
  }
}
