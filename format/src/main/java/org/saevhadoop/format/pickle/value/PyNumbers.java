package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;

/** Python's int, as a Long if the value fits, otherwise as a BigInteger. */
public final class PyNumbers {
  private PyNumbers() {}

  /** Returns a Long if the value fits, otherwise the value itself. */
  public static Object integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  /** Converts a Long or a BigInteger to a BigInteger. */
  public static BigInteger big(Object integer) {
    return integer instanceof Long value ? BigInteger.valueOf(value) : (BigInteger) integer;
  }

  /**
   * Returns the bytes in reverse order, because BigInteger is big-endian and numpy is
   * little-endian.
   */
  public static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
