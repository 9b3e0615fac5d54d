package org.saevhadoop.format.numpy.file;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * Element types of arrays.
 *
 * @param storedAs the type of elements that are stored as integers of its size, or as bytes without
 *     a type; null if the user names none
 */
record ElementTypes(@Nullable DType storedAs) {
  /**
   * Returns the types for an array. Token ids and masks are integers; they have no value dimension.
   *
   * @param path the name of the array, or the path of its file
   */
  ElementTypes of(String path, int dims, NumpyType type) {
    String name =
        path.endsWith(NpyArray.SUFFIX)
            ? path.substring(0, path.length() - NpyArray.SUFFIX.length())
            : path;
    String last = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/')) + 1);
    boolean isMark = dims <= 2 && !type.isUntyped() && PaddingMarks.isNamed(last);
    return isMark ? new ElementTypes(null) : this;
  }

  /**
   * Returns the element type of an array.
   *
   * @throws FormatException if the elements are not numbers, or their type is unknown
   */
  DType of(String path, NumpyType type) throws FormatException {
    boolean isInteger = type.kind() == 'i' || type.kind() == 'u';
    if (storedAs != null
        && storedAs.bits() == Byte.SIZE * type.itemSize()
        && (isInteger || type.isUntyped())) {
      return storedAs;
    }
    DType dtype = type.dtype();
    if (dtype == null) {
      throw refused(path, type);
    }
    return dtype;
  }

  private static FormatException refused(String path, NumpyType type) {
    if (type.isUntyped()) {
      return NpyError.UNKNOWN_DTYPE.in(
          path,
          "has %d-byte elements without a type, dtype '%s' (expected --dtype-stored %s)",
          type.itemSize(),
          type.descr(),
          type.itemSize() == 1 ? "F8_E4M3 or F8_E5M2" : DType.BF16);
    }
    return NpyError.UNSUPPORTED.in(
        path,
        "contains %s, dtype '%s' (expected real numbers, complex64 or booleans)",
        type.isText() ? "strings" : "complex numbers of 16 bytes",
        type.descr());
  }
}
