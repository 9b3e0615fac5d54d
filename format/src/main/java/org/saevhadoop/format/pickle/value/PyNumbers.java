package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;

/** Python's int: a Long if it fits, else a BigInteger. */
public final class PyNumbers {
  private PyNumbers() {}

  /** Returns a Long if the value fits, else the value itself. */
  public static Object integer(BigInteger value) {
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  /** Converts a Long or a BigInteger to a BigInteger. */
  public static BigInteger big(Object integer) {
    return integer instanceof Long value ? BigInteger.valueOf(value) : (BigInteger) integer;
  }

  /** Returns the bytes in reverse order: BigInteger is big-endian, numpy little-endian. */
  public static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
