package org.saevhadoop.format.samediff.sdnb;

import java.util.List;
import org.saevhadoop.format.gather.StridedLayout;

/**
 * An array whose values are in an SDNB file.
 *
 * @param shape the dimensions; empty for a scalar, and for an empty array without dimensions
 * @param offset the offset of the first byte in the file
 * @param length the length in bytes: the number of elements times their size; 0 for an empty array
 *     without dimensions
 */
public record StoredArray(
    String name,
    VariableKind kind,
    SdnbType type,
    List<Long> shape,
    MemoryOrder order,
    long offset,
    long length) {
  /** Order in which the elements are stored. */
  public enum MemoryOrder {
    /** The last dimension varies fastest. */
    C,
    /** The first dimension varies fastest. */
    F,
    /** The order is not recorded, as in files of 2025; loaders assume {@link #C}. */
    UNKNOWN
  }

  public StoredArray {
    shape = List.copyOf(shape);
  }

  /** Returns whether the array has no dimensions and no value, unlike a scalar. */
  public boolean isEmptyScalar() {
    return shape.isEmpty() && length == 0;
  }

  /** Returns the positions of the elements in the file. */
  public StridedLayout layout() {
    return isContiguous()
        ? StridedLayout.contiguous(offset, length)
        : StridedLayout.fortran(offset, type.width(), shape);
  }

  /** Returns whether the values are stored in C order. */
  public boolean isContiguous() {
    return order != MemoryOrder.F || shape.stream().filter(size -> size != 1).count() <= 1;
  }
}
