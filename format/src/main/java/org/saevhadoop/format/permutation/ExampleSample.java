package org.saevhadoop.format.permutation;

import static org.saevhadoop.format.permutation.HashMixing.GOLDEN;
import static org.saevhadoop.format.permutation.HashMixing.mix;
import static org.saevhadoop.format.permutation.HashMixing.reduce;

/**
 * Seeded, stratified choice of examples. The examples are divided into {@code count} strata of
 * consecutive examples; the first {@code examples % count} strata have one more example. One
 * example of each stratum is chosen, by a hash of the seed and the stratum.
 *
 * @param examples the number of examples of the dataset, less than 2^62
 * @param count the number of examples to choose; 0 only if the dataset has no examples
 */
public record ExampleSample(long examples, long count, long seed) {
  public ExampleSample {
    if (count < 0
        || count > examples
        || count == 0 && examples > 0
        || examples >= Permutation.MAX_LENGTH) {
      throw new IllegalArgumentException("cannot choose " + count + " of " + examples);
    }
  }

  /**
   * Returns a sample of a fraction of the examples, but at least one if there are any.
   *
   * @param fraction the fraction, more than 0 and at most 1
   */
  public static ExampleSample of(long examples, double fraction, long seed) {
    if (!(fraction > 0 && fraction <= 1)) {
      throw new IllegalArgumentException("cannot choose a fraction of " + fraction);
    }
    long count = Math.max(1, Math.round(examples * fraction));
    return new ExampleSample(examples, Math.min(examples, count), seed);
  }

  /** Returns whether an example is chosen. */
  public boolean contains(long example) {
    return example >= 0 && example < examples && example(stratum(example)) == example;
  }

  /**
   * Returns the number of chosen examples before an example; if the example is chosen, this is its
   * index among the chosen examples.
   *
   * @param example the number of an example, or any larger number
   */
  public long rank(long example) {
    if (example >= examples) {
      return count;
    }
    long stratum = stratum(example);
    return example(stratum) < example ? stratum + 1 : stratum;
  }

  /**
   * Returns a chosen example; the chosen examples are in ascending order.
   *
   * @param rank the index among the chosen examples
   */
  public long example(long rank) {
    if (rank < 0 || rank >= count) {
      throw new IndexOutOfBoundsException("index " + rank + " is out of range for length " + count);
    }
    long size = examples / count;
    long longer = examples % count;
    long first = rank * size + Math.min(rank, longer);
    return first + reduce(mix(mix(seed) + rank * GOLDEN), rank < longer ? size + 1 : size);
  }

  private long stratum(long example) {
    long size = examples / count;
    long longer = examples % count;
    long inLonger = longer * (size + 1);
    return example < inLonger ? example / (size + 1) : longer + (example - inLonger) / size;
  }
}
