package org.saevhadoop.format.tensor;

/** What becomes of a number that the other type does not have. */
public enum RoundingPolicy {
  /**
   * To the nearest number, of two equally near ones to that with the even last bit, in one step
   * from the exact value, subnormal numbers included; beyond the largest number by half of its last
   * place or more, to infinity. A NaN stays one and keeps its sign, as in numpy and ml_dtypes:
   *
   * <ul>
   *   <li>F32 and F64 to F16: the first 10 bits of the fraction; where these are 0, 1.
   *   <li>F64 to F32: the first 23 bits of the fraction, the quiet bit set.
   *   <li>F32 and BF16 to F64: the whole fraction, the quiet bit set.
   *   <li>F16 to F32 and F64, BF16 to F32: the whole fraction; a signalling NaN stays one.
   *   <li>To BF16, and BF16 to F16: the quiet bit alone.
   * </ul>
   */
  NEAREST_EVEN,

  /**
   * What safetensors-spark does, byte for byte. Integers of 64 bits first become the nearest double
   * and doubles the nearest float; of the float, BF16 is the first 16 bits, even where that makes
   * an infinity of a NaN, and F16 the first 10 bits of the fraction: too small for a normal number
   * is a zero of that sign, from 65536 on it is infinity, and every NaN is 7e00 or fe00. It rounds
   * to F32 and F64 as {@link #NEAREST_EVEN}.
   */
  TRUNCATE
}
