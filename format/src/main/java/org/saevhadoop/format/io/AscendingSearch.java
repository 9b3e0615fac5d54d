package org.saevhadoop.format.io;

import java.util.function.IntToLongFunction;

/** Binary search among ascending values that need not stand in an array. */
public final class AscendingSearch {
  private AscendingSearch() {}

  /**
   * Returns the index of the last value that is at most {@code limit}; -1 if there is none.
   *
   * @param size number of values
   * @param values value of each index; equal ones may follow one another
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
