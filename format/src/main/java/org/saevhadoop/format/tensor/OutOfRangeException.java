package org.saevhadoop.format.tensor;

/** Thrown under {@link RangePolicy#ERROR} for a value that the integer type cannot represent. */
public final class OutOfRangeException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  OutOfRangeException(long index, String value, DType to) {
    super("element %d is %s, which %s cannot hold".formatted(index, value, to));
  }
}
