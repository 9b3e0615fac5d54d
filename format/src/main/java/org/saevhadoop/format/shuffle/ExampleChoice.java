package org.saevhadoop.format.shuffle;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.permutation.Permutation;

/**
 * The examples of a selection whose rows are shuffled: a random sample of the examples, or one part
 * of a partition of this sample.
 */
public final class ExampleChoice {
  private final ExampleSample sample;
  private final @Nullable IndexRange part;
  private final Permutation partition;

  private ExampleChoice(ExampleSample sample, @Nullable IndexRange part, Permutation partition) {
    this.sample = sample;
    this.part = part;
    this.partition = partition;
  }

  /** Returns the choice that an order of rows defines. */
  public static ExampleChoice of(RowOrder order) {
    long examples = order.examples().stream().mapToLong(IndexRange::length).sum();
    ExampleSample sample = new ExampleSample(examples, order.sample(), order.seed());
    return new ExampleChoice(
        sample,
        order.part(),
        Permutation.of(sample.count(), order.seed(), "partition of " + order.parent()));
  }

  /**
   * Divides examples into parts.
   *
   * @param fractions the fractions of the parts, with a sum of at most 1
   * @return the ranges of the parts; null for an empty part
   */
  public static List<@Nullable IndexRange> divide(long examples, List<Double> fractions) {
    List<@Nullable IndexRange> parts = new ArrayList<>();
    double sum = 0;
    long start = 0;
    for (double fraction : fractions) {
      sum += fraction;
      long stop = Math.min(examples, Math.round(sum * examples));
      parts.add(stop > start ? new IndexRange(start, stop) : null);
      start = Math.max(start, stop);
    }
    return parts;
  }

  public boolean contains(long example) {
    if (!sample.contains(example)) {
      return false;
    }
    if (part == null) {
      return true;
    }
    long position = partition.indexOf(sample.rank(example));
    return position >= part.start() && position < part.stop();
  }

  /** Returns the number of examples in this choice. */
  public long count() {
    return part == null ? sample.count() : part.length();
  }

  /** Returns the number of examples in this choice that precede an example. */
  public long rank(long example) {
    if (part == null) {
      return sample.rank(example);
    }
    long rank = 0;
    for (long i = 0; i < example; i++) {
      rank += contains(i) ? 1 : 0;
    }
    return rank;
  }
}
