package org.saevhadoop.format.tensor;

/** Policy for values that the target type cannot represent exactly. */
public enum RoundingPolicy {
  /**
   * Rounds in one step from the exact value to the nearest value, ties to even; the result may be
   * subnormal. Values that exceed the largest number by at least half a unit in its last place
   * become infinite. A NaN remains a NaN and keeps its sign, as in numpy and ml_dtypes:
   *
   * <ul>
   *   <li>F32 and F64 to F16: keeps the first 10 bits of the fraction; if these bits are all 0, the
   *       fraction becomes 1.
   *   <li>F64 to F32: keeps the first 23 bits of the fraction, and sets the quiet bit.
   *   <li>F32 and BF16 to F64: keeps the whole fraction, and sets the quiet bit.
   *   <li>F16 to F32 and F64, BF16 to F32: keeps the whole fraction; a signalling NaN remains
   *       signalling.
   *   <li>To BF16, and BF16 to F16: sets only the quiet bit.
   *   <li>From 8-bit floats: sets only the quiet bit.
   * </ul>
   */
  NEAREST_EVEN,

  /**
   * Reproduces safetensors-spark byte for byte. 64-bit integers are first converted to the nearest
   * double, and doubles to the nearest float. BF16 is the first 16 bits of the float, even if that
   * turns a NaN into an infinity. F16 has the first 10 bits of the fraction of the float: values
   * too small for a normal number become a zero with the same sign, values of magnitude 65536 or
   * more become infinite, and every NaN becomes 7e00 or fe00. Conversions to F32 and F64 round as
   * {@link #NEAREST_EVEN} does.
   */
  TRUNCATE
}
