package org.saevhadoop.format.tensor;

/** Thrown under {@link RangePolicy#ERROR} for a value that the integer type cannot represent. */
public final class OutOfRangeException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  private final long index;
  private final String value;

  OutOfRangeException(long index, String value, DType to) {
    super("element %d is %s, which %s cannot hold".formatted(index, value, to));
    this.index = index;
    this.value = value;
  }

  /** Returns the index of the element in the buffer, from 0. */
  public long index() {
    return index;
  }

  /** Returns the value as text for messages. */
  public String value() {
    return value;
  }
}
