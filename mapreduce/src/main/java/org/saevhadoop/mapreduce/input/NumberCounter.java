package org.saevhadoop.mapreduce.input;

/** Counters of a job that converts numbers. */
public enum NumberCounter {
  /** All numbers that became others of a type that does not hold each of them exactly. */
  CONVERTED,
  /** Numbers that became another, finite one. */
  ROUNDED,
  /** Finite numbers that became infinite. */
  OVERFLOWED,
  /** Numbers that the integer type can not hold. */
  OUT_OF_RANGE,
  /** NaNs that lost bits, or are none any more. */
  NAN
}
