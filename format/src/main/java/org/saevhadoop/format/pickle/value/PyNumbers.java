package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;

/** Python's {@code int}: a Long where it fits, else a BigInteger. */
public final class PyNumbers {
  private PyNumbers() {}

  static Object integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  public static BigInteger big(Object integer) {
    return integer instanceof Long value ? BigInteger.valueOf(value) : (BigInteger) integer;
  }
}
