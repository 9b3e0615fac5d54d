package org.saevhadoop.format.tensor;

/** A change of values that are elements of a record, as F64. */
@FunctionalInterface
public interface DoubleChange {
  /**
   * Changes the first values of an array.
   *
   * @param index the index in the record of the first of them
   */
  void apply(double[] values, int count, long index);
}
