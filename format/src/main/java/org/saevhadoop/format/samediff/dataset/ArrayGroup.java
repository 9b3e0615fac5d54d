package org.saevhadoop.format.samediff.dataset;

import java.util.List;
import org.saevhadoop.format.samediff.container.ContainerArray;

/**
 * Arrays that contain the columns of the same examples.
 *
 * @param first the number of the first example
 * @param examples the number of examples, which is the first dimension of each array
 * @param arrays the arrays in the order of the columns
 * @param isDirect whether all blocks are in one file and can be read in place
 * @param offsets the offset of the first block of each column, in the file or, if the blocks cannot
 *     be read in place, in the concatenated values of all columns
 */
record ArrayGroup(
    long first, long examples, List<ContainerArray> arrays, boolean isDirect, long[] offsets) {
  static ArrayGroup of(long first, long examples, List<ContainerArray> arrays) {
    String file = arrays.get(0).part().file();
    boolean direct = arrays.stream().allMatch(array -> isDirect(array, file));
    long[] offsets = new long[arrays.size()];
    long next = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = direct ? arrays.get(i).fileOffset() : next;
      next += arrays.get(i).array().length();
    }
    return new ArrayGroup(first, examples, List.copyOf(arrays), direct, offsets);
  }

  private static boolean isDirect(ContainerArray array, String file) {
    return array.array().isContiguous()
        && !array.part().isDeflated()
        && array.part().file().equals(file);
  }

  /** Returns the exclusive end of the range of example numbers. */
  long end() {
    return first + examples;
  }

  /**
   * Returns the name of the file that contains the arrays, or of the first file if there are
   * several.
   */
  String file() {
    return arrays.get(0).part().file();
  }
}
