package org.saevhadoop.format.io;

import java.util.function.IntToLongFunction;

/** Binary search in ascending values, which do not have to be in an array. */
public final class AscendingSearch {
  private AscendingSearch() {}

  /**
   * Returns the index of the last value that is at most {@code limit}; -1 if there is none.
   *
   * @param size the number of values
   * @param values a function that returns the value at an index; equal values may follow one
   *     another
   */
  public static int lastAtMost(int size, IntToLongFunction values, long limit) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (values.applyAsLong(middle) <= limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
