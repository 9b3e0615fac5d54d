package org.saevhadoop.format.tensor;

/**
 * What a conversion did to the values. Each changed value counts once, but for integers of 64 bits
 * under {@link RoundingPolicy#TRUNCATE}, which has two steps for them.
 *
 * @param values elements converted
 * @param rounded numbers that are now another, finite number: fractions shortened or, for integers,
 *     cut off, and small numbers that became 0. A -0.0 that becomes an integer's 0 is no change
 * @param overflowed numbers that are now infinities
 * @param outOfRange numbers, infinities among them, that the integer type can not hold
 * @param nan NaNs that lost bits of their payload, were made quiet or are no longer NaNs
 */
public record ConversionChanges(
    long values, long rounded, long overflowed, long outOfRange, long nan) {
  /** What came out as something else than it was. */
  public long changed() {
    return rounded + overflowed + outOfRange + nan;
  }

  /** Both together. */
  public ConversionChanges plus(ConversionChanges other) {
    return new ConversionChanges(
        values + other.values,
        rounded + other.rounded,
        overflowed + other.overflowed,
        outOfRange + other.outOfRange,
        nan + other.nan);
  }
}
