package org.saevhadoop.jobs.stats;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.saevhadoop.format.permutation.Permutation;

/**
 * Random pairs of vectors of a layer, the same in every layer: the first vectors in a random order,
 * two by two.
 */
final class VectorPairs {
  /** The number of pairs, unless it is limited by the size of the vectors. */
  static final int MAX_PAIRS = 4096;

  /** The size of the vectors of all pairs and layers is at most this. */
  private static final long MAX_BYTES = 64 << 20;

  /** The numbers of the vectors in ascending order. */
  private final long[] numbers;

  /** The index of each among all vectors of the pairs: twice the pair, plus 0 or 1. */
  private final int[] slots;

  private VectorPairs(long[] numbers, int[] slots) {
    this.numbers = numbers;
    this.slots = slots;
  }

  /**
   * Returns how many pairs are drawn.
   *
   * @param vectors the number of vectors of a layer
   * @param bytes the size of a vector in all layers
   */
  static int count(long vectors, long bytes) {
    return (int) Math.min(MAX_PAIRS, Math.min(vectors / 2, MAX_BYTES / (2 * bytes)));
  }

  static VectorPairs draw(int pairs, long vectors, long seed) {
    Permutation order = Permutation.of(vectors, seed, "pairs");
    long[] numbers = LongStream.range(0, 2L * pairs).map(order::at).sorted().toArray();
    int[] slots = Arrays.stream(numbers).mapToInt(number -> (int) order.indexOf(number)).toArray();
    return new VectorPairs(numbers, slots);
  }

  /** Returns the index of the first vector of a pair whose number is at least the given one. */
  int firstFrom(long number) {
    int low = 0;
    int high = numbers.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers[middle] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the number of the vector at an index; the maximum after the last one. */
  long number(int index) {
    return index < numbers.length ? numbers[index] : Long.MAX_VALUE;
  }

  /** Returns the number of vectors of all pairs. */
  int slots() {
    return slots.length;
  }

  int slot(int index) {
    return slots[index];
  }
}
