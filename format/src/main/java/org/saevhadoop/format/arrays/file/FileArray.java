package org.saevhadoop.format.arrays.file;

import java.util.List;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.tensor.DType;

/**
 * An array in a file, whose elements are read in place.
 *
 * @param name the name of the array in its file, with periods between the keys of nested
 *     containers; {@link ArrayFile#UNNAMED} if the file contains one array without a name
 * @param layout the positions of the elements in the file, and the shape; in a compressed entry of
 *     a ZIP archive, the positions in the content of the entry
 * @param swapUnit the number of bytes that are reversed together in big-endian elements; 1 if the
 *     elements are little-endian
 * @param companion the path of a separate file of integers next to the file of the activations,
 *     relative to the folder of the dataset; empty if the array is in the file of the activations
 */
public record FileArray(
    String name, DType dtype, StridedLayout layout, int swapUnit, String companion) {
  /** Creates an array of little-endian elements. */
  public FileArray(String name, DType dtype, StridedLayout layout) {
    this(name, dtype, layout, 1);
  }

  /** Creates an array in the file of the activations. */
  public FileArray(String name, DType dtype, StridedLayout layout, int swapUnit) {
    this(name, dtype, layout, swapUnit, "");
  }

  /** Returns the dimensions; empty for a scalar. */
  public List<Long> shape() {
    return layout.shape();
  }

  /** Returns whether the elements are integers or booleans. */
  public boolean isInteger() {
    return switch (dtype) {
      case BOOL, U8, I8, I16, U16, I32, U32, I64, U64 -> true;
      default -> false;
    };
  }
}
