package org.saevhadoop.format.tensor;

/**
 * The counts of {@link ConversionChanges} as they grow, and which element of the buffer is the lane
 * 0.
 */
final class ChangeCounter {
  long base;
  long rounded;
  long overflowed;
  long outOfRange;
  long nan;

  ConversionChanges changes(long values) {
    return new ConversionChanges(values, rounded, overflowed, outOfRange, nan);
  }
}
