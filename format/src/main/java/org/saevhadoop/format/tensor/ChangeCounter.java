package org.saevhadoop.format.tensor;

/**
 * Mutable counts of {@link ConversionChanges}, and the index in the buffer of the element in lane
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
