package org.saevhadoop.format.reader.vector;

import org.saevhadoop.format.permutation.HashMixing;

/**
 * Random number generator with the same results on every platform and Java version: the generator
 * of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
 */
final class SplitMix64 {
  private static final long LOW_32_BITS = 0xFFFFFFFFL;

  private long state;

  /** Creates a separate generator for each combination of keys. */
  SplitMix64(long... keys) {
    for (long key : keys) {
      state = HashMixing.mix(state + HashMixing.GOLDEN) ^ HashMixing.mix(key);
    }
  }

  long nextLong() {
    state += HashMixing.GOLDEN;
    return HashMixing.mix(state);
  }

  /**
   * Returns a uniformly distributed number in {@code [0, bound)}, using Lemire's multiplication
   * with rejection.
   */
  int nextInt(int bound) {
    long product = (nextLong() >>> 32) * bound;
    if ((product & LOW_32_BITS) < bound) {
      long rejected = (1L << 32) % bound;
      while ((product & LOW_32_BITS) < rejected) {
        product = (nextLong() >>> 32) * bound;
      }
    }
    return (int) (product >>> 32);
  }

  /**
   * Fills {@code numbers} with a uniformly distributed permutation of {@code [0, numbers.length)}
   * (Fisher-Yates).
   */
  void permute(int[] numbers) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i;
    }
    for (int i = numbers.length - 1; i > 0; i--) {
      int j = nextInt(i + 1);
      int swapped = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = swapped;
    }
  }
}
