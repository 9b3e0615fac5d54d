package org.saevhadoop.format.tensor;

/**
 * The set of numbers that an element type represents.
 *
 * @param precision the number of bits of the significand including the implicit one, or of the
 *     magnitude of an integer
 * @param exponent the number of bits of the exponent; 0 for integers
 * @param signed whether negative numbers are included
 */
record NumberType(int precision, int exponent, boolean signed) {
  /** Returns whether elements of other types can be converted to a type. */
  static boolean isTarget(DType type) {
    return switch (type) {
      case F16, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64 -> true;
      default -> false;
    };
  }

  /** Returns whether the elements of a type are numbers that can be converted. */
  static boolean exists(DType type) {
    return switch (type) {
      case F8_E4M3, F8_E5M2, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ -> true;
      default -> isTarget(type);
    };
  }

  /** Returns the description of a type whose elements are numbers. */
  static NumberType of(DType type) {
    return switch (type) {
      case F8_E4M3, F8_E4M3FNUZ -> new NumberType(4, 4, true);
      case F8_E5M2, F8_E5M2FNUZ -> new NumberType(3, 5, true);
      case F8_E8M0 -> new NumberType(1, 8, false);
      case F16 -> new NumberType(11, 5, true);
      case BF16 -> new NumberType(8, 8, true);
      case F32 -> new NumberType(24, 8, true);
      case F64 -> new NumberType(53, 11, true);
      case I8, I16, I32, I64 -> new NumberType(type.bits() - 1, 0, true);
      default -> new NumberType(type.bits(), 0, false);
    };
  }

  boolean isInteger() {
    return exponent == 0;
  }

  /** Returns whether {@code other} includes all numbers of this set. */
  boolean isWithin(NumberType other) {
    boolean exponents = other.isInteger() ? isInteger() : exponent <= other.exponent;
    return exponents && precision <= other.precision && (other.signed || !signed);
  }

  long min() {
    return signed ? -1L << precision : 0;
  }

  /** Returns the largest number of an integer type; for U64, a long with all bits set. */
  long max() {
    return precision == 64 ? -1 : (1L << precision) - 1;
  }
}
