package org.saevhadoop.format.tensor;

/**
 * What becomes of a number that an integer type can not hold. Fractions are cut off first, towards
 * zero: -0.9 is an unsigned 0.
 */
public enum RangePolicy {
  /** {@link OutOfRangeException}, for NaN too. */
  ERROR,

  /** The type's smallest or largest number; 0 for NaN. */
  SATURATE,

  /**
   * Modulo 2^bits; 0 for NaN and infinities. Under {@link RoundingPolicy#TRUNCATE} as
   * safetensors-spark has it: floats are first saturated, to 64 bits for U32, I64 and U64, else to
   * 32, which leaves nothing to wrap for I32 and I64, nor what is beyond I64 for U64.
   */
  WRAP
}
