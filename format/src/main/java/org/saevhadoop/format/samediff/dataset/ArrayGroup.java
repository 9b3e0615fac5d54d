package org.saevhadoop.format.samediff.dataset;

import java.util.List;
import org.saevhadoop.format.samediff.container.ContainerArray;

/** Arrays that contain the columns of the same examples. */
final class ArrayGroup {
  private final long first;
  private final long examples;
  private final List<ContainerArray> arrays;
  private final boolean direct;
  private final long[] offsets;

  /**
   * Creates a group.
   *
   * @param first the number of the first example
   * @param examples the number of examples, which is the first dimension of each array
   * @param arrays the arrays in the order of the columns
   */
  ArrayGroup(long first, long examples, List<ContainerArray> arrays) {
    this.first = first;
    this.examples = examples;
    this.arrays = List.copyOf(arrays);
    this.direct = this.arrays.stream().allMatch(array -> isDirect(array, file()));
    this.offsets = new long[arrays.size()];
    long next = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = direct ? arrays.get(i).fileOffset() : next;
      next += arrays.get(i).array().length();
    }
  }

  private static boolean isDirect(ContainerArray array, String file) {
    return array.array().isContiguous()
        && !array.part().isDeflated()
        && array.part().file().equals(file);
  }

  /** Returns the number of the first example. */
  long first() {
    return first;
  }

  /** Returns the number of examples. */
  long examples() {
    return examples;
  }

  /** Returns the number after that of the last example. */
  long end() {
    return first + examples;
  }

  /** Returns the arrays in the order of the columns. */
  List<ContainerArray> arrays() {
    return arrays;
  }

  /** Returns the name of the file that contains the arrays, or of the first of several. */
  String file() {
    return arrays.get(0).part().file();
  }

  /**
   * Returns whether the blocks of all examples are in one file, where they can be read in place.
   */
  boolean isDirect() {
    return direct;
  }

  /**
   * Returns the offset of the first block of a column: in the file, or among the values of all
   * columns one after another if the blocks cannot be read in place.
   */
  long offset(int column) {
    return offsets[column];
  }
}
