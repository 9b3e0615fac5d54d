package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;

/** The {@code int} of Python: a Long if it fits, else a BigInteger. */
public final class PyNumbers {
  private PyNumbers() {}

  static Object integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  /** Converts a Long or a BigInteger to a BigInteger. */
  public static BigInteger big(Object integer) {
    return integer instanceof Long value ? BigInteger.valueOf(value) : (BigInteger) integer;
  }
}
