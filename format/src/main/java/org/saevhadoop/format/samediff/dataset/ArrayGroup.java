package org.saevhadoop.format.samediff.dataset;

import java.util.List;
import org.saevhadoop.format.samediff.container.ContainerArray;

/**
 * Arrays that contain the columns of the same examples.
 *
 * @param first the number of the first example
 * @param examples the number of examples, which is the first dimension of each array
 * @param arrays the arrays in the order of the columns
 */
record ArrayGroup(long first, long examples, List<ContainerArray> arrays) {
  /** Returns the name of the file that contains the arrays, or of the first of several. */
  String file() {
    return arrays.get(0).part().file();
  }

  /**
   * Returns whether the blocks of all examples are in one file, where they can be read in place.
   */
  boolean isDirect() {
    return arrays.stream()
        .allMatch(
            array ->
                array.array().isContiguous()
                    && !array.part().isDeflated()
                    && array.part().file().equals(file()));
  }

  /** Returns the number after that of the last example. */
  long end() {
    return first + examples;
  }
}
