package org.saevhadoop.format.tensor;

/**
 * The numbers that an element type has.
 *
 * @param precision bits of the significand, the implied one included; of an integer's magnitude
 * @param exponent bits of the exponent; 0 for integers
 * @param signed whether it has negative numbers
 */
record NumberType(int precision, int exponent, boolean signed) {
  /**
   * The numbers of a type.
   *
   * @return null for types that are not converted
   */
  static NumberType of(DType type) {
    return switch (type) {
      case F16 -> new NumberType(11, 5, true);
      case BF16 -> new NumberType(8, 8, true);
      case F32 -> new NumberType(24, 8, true);
      case F64 -> new NumberType(53, 11, true);
      case I8, I16, I32, I64 -> new NumberType(type.bits() - 1, 0, true);
      case U8, U16, U32, U64 -> new NumberType(type.bits(), 0, false);
      default -> null;
    };
  }

  boolean isInteger() {
    return exponent == 0;
  }

  /** Whether {@code other} has all these numbers. */
  boolean isWithin(NumberType other) {
    boolean exponents = other.isInteger() ? isInteger() : exponent <= other.exponent;
    return exponents && precision <= other.precision && (other.signed || !signed);
  }

  /** The smallest number of an integer type. */
  long min() {
    return signed ? -1L << precision : 0;
  }

  /** The largest number of an integer type; of U64 all bits set. */
  long max() {
    return precision == 64 ? -1 : (1L << precision) - 1;
  }
}
