package org.saevhadoop.format.tensor;

/** A change of the elements of a record, which are passed as F64. */
@FunctionalInterface
public interface DoubleChange {
  /**
   * Changes the first values of an array.
   *
   * @param index the index of the first value in the record
   */
  void apply(double[] values, int count, long index);
}
