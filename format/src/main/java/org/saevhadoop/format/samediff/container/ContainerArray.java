package org.saevhadoop.format.samediff.container;

import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.samediff.sdnb.StoredArray;

/**
 * An array of a container.
 *
 * @param part the SDNB file that contains its values
 * @param array the array in that file
 */
public record ContainerArray(ContainerPart part, StoredArray array) {
  /** Returns the name of the variable. */
  public String name() {
    return array.name();
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
