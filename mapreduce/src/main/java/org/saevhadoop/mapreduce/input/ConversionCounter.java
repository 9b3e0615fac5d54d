package org.saevhadoop.mapreduce.input;

/** Counters of a job that converts values. */
public enum ConversionCounter {
  /** Values that were converted to a type that cannot hold all of them exactly. */
  CONVERTED,
  /** Values that became a different finite value. */
  ROUNDED,
  /** Finite values that became infinite. */
  OVERFLOWED,
  /** Values that are outside the range of the integer type. */
  OUT_OF_RANGE,
  /** NaNs that lost payload bits or are no longer NaN. */
  NAN
}
