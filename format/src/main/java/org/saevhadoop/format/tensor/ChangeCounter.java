package org.saevhadoop.format.tensor;

/** Mutable counts of {@link ConversionChanges}, and the buffer index of the element in lane 0. */
final class ChangeCounter {
  long base;
  long rounded;
  long overflowed;
  long outOfRange;
  long nan;

  /**
   * Counts the change of a float, if it has changed.
   *
   * @param bits the F32 before the conversion, with more bits than the target type has
   * @param back the F32 that equals the result
   */
  void count(int bits, int back) {
    if (back == bits) {
      return;
    }
    if (ToSingle.isNan(bits)) {
      nan++;
    } else if ((back & 0x7fffffff) == ToSingle.INFINITY) {
      overflowed++;
    } else {
      rounded++;
    }
  }

  ConversionChanges changes(long values) {
    return new ConversionChanges(values, rounded, overflowed, outOfRange, nan);
  }
}
