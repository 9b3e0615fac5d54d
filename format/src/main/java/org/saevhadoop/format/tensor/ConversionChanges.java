package org.saevhadoop.format.tensor;

/**
 * The effects of a conversion on the values. Each changed value is counted once, except for 64-bit
 * integers under {@link RoundingPolicy#TRUNCATE}, which are converted in two steps.
 *
 * @param values the number of converted elements
 * @param rounded the number of values that became another finite value: shortened fractions,
 *     fractions removed by conversion to an integer, and small values that became 0; a -0.0 that
 *     becomes the integer 0 is not counted
 * @param overflowed the number of values that became infinite
 * @param outOfRange the number of values, including infinities, that the integer type cannot
 *     represent
 * @param nan the number of NaNs that lost bits of their payload, became quiet, or are no longer
 *     NaNs
 */
public record ConversionChanges(
    long values, long rounded, long overflowed, long outOfRange, long nan) {
  /** No effects. */
  public static final ConversionChanges NONE = new ConversionChanges(0, 0, 0, 0, 0);

  /** Returns the number of changed values. */
  public long changed() {
    return rounded + overflowed + outOfRange + nan;
  }

  /** Returns the sum of these changes and others. */
  public ConversionChanges plus(ConversionChanges other) {
    return new ConversionChanges(
        values + other.values,
        rounded + other.rounded,
        overflowed + other.overflowed,
        outOfRange + other.outOfRange,
        nan + other.nan);
  }
}
