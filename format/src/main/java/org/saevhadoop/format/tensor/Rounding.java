package org.saevhadoop.format.tensor;

/** What becomes of a number that the other type does not have. */
public enum Rounding {
  /**
   * To the nearest number, of two equally near ones to that with the even last bit, in one step
   * from the exact value, subnormal numbers included; beyond the largest number by half of its last
   * place or more, to infinity. A NaN stays one:
   *
   * <ul>
   *   <li>F16 keeps the sign and the first 10 bits of the fraction; where these are 0 it gets 1.
   *       This is numpy's rule.
   *   <li>BF16 and F32 keep the sign and the first 7 or 23 bits of the fraction, the quiet bit set.
   *       This is what the instructions of processors do, and so C and numpy for F64 to F32.
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
