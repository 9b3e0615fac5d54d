package org.saevhadoop.format.tensor;

/** A value that the integer type can not hold, under {@link RangePolicy#ERROR}. */
public final class OutOfRangeException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  private final long index;
  private final String value;

  OutOfRangeException(long index, String value, DType to) {
    super("element %d is %s, which %s can not hold".formatted(index, value, to));
    this.index = index;
    this.value = value;
  }

  /** Which element of the buffer, from 0 on. */
  public long index() {
    return index;
  }

  /** The value as a person reads it. */
  public String value() {
    return value;
  }
}
