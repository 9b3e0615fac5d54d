package org.saevhadoop.format.arrow.file;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/**
 * The numbers of a column in a record batch, in nested lists.
 *
 * @param name the name in the table, with periods between the names of structs
 * @param structs the structs that contain the column
 * @param levels the levels of lists, outermost first
 * @param shape the dimensions that an extension type stores together in the innermost list; empty
 *     if no extension type does so
 * @param values the location of the numbers, or of dictionary indexes
 * @param index the type of the indexes; null if the column has no dictionary
 */
record ArrowColumn(
    String name,
    DType dtype,
    List<Node> structs,
    List<Level> levels,
    List<Long> shape,
    Node leaf,
    Region values,
    @Nullable ArrowScalar index) {
  /** A range of bytes of the file. */
  record Region(long offset, long length) {}

  /**
   * The description of a column, or of a part of it, in a batch.
   *
   * @param length the number of elements
   * @param nulls the number of elements that are null
   * @param validity the location of the bits, one for each element, which are 0 if the element is
   *     null
   */
  record Node(long length, long nulls, Region validity) {}

  /**
   * A level of lists.
   *
   * @param size the number of elements of each list if it is fixed
   * @param width the size of an offset in bytes; 0 if the number of elements is fixed
   * @param offsets the location of the offsets
   */
  record Level(Node node, long size, int width, Region offsets) {
    boolean isFixed() {
      return width == 0;
    }
  }

  /** Returns whether the values are bits. */
  boolean isBits() {
    return dtype == DType.BOOL;
  }

  /** Returns the size of a stored value in bits. */
  int bits() {
    if (index != null) {
      return index.bytes() * Byte.SIZE;
    }
    return isBits() ? 1 : dtype.bits();
  }

  boolean isFloat() {
    return isFloat(dtype);
  }

  static boolean isFloat(DType dtype) {
    return dtype == DType.F16 || dtype == DType.F32 || dtype == DType.F64;
  }
}
