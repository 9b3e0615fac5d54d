package org.saevhadoop.format.tensor;

/**
 * Policy for values that an integer type cannot represent. Fractions are first truncated toward
 * zero: -0.9 becomes the unsigned 0.
 */
public enum RangePolicy {
  /** Throws {@link OutOfRangeException}, even for NaN. */
  ERROR,

  /** Returns the smallest or largest number of the type; 0 for NaN. */
  SATURATE,

  /**
   * Returns the value modulo 2^bits; 0 for NaN and infinities. Under {@link
   * RoundingPolicy#TRUNCATE} the result equals the result of safetensors-spark: floats are first
   * saturated to 64 bits for U32, I64 and U64 and to 32 bits for other types; consequently no value
   * wraps for I32 and I64, and no value beyond the range of I64 wraps for U64.
   */
  WRAP
}
