package org.saevhadoop.format.tensor;

/** The counts of {@link Changes} as they grow, and which element of the buffer is the lane 0. */
final class Tally {
  long base;
  long rounded;
  long overflowed;
  long outOfRange;
  long nan;

  Changes changes(long values) {
    return new Changes(values, rounded, overflowed, outOfRange, nan);
  }
}
