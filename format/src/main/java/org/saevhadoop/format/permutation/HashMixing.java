package org.saevhadoop.format.permutation;

/** 64-bit hashes, and their reduction to a range. */
public final class HashMixing {
  /** 2^64 divided by the golden ratio, the increment of SplitMix64. */
  public static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private HashMixing() {}

  /** Mixes all bits of a number: variant 13 of D. Stafford, a bijection. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Reduces a hash to {@code [0, bound)} by its upper bits, with a multiplication, which is faster
   * than a remainder.
   *
   * @param bound the end of the range, 1 to 2^62 - 1
   */
  static long reduce(long hash, long bound) {
    return Math.multiplyHigh(hash >>> 1, bound << 1);
  }
}
