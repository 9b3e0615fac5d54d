package org.saevhadoop.jobs.stats;

import org.saevhadoop.format.dataset.Geometry;

/**
 * How examples are divided into groups whose vectors are added up together. It depends on the shape
 * of the dataset alone, and on the share of the examples that is read.
 *
 * @param examples the number of examples of a group
 * @param byLayer whether the layers of a group are read one after another, as the sums of all of
 *     them are large
 */
record ExampleGroups(long examples, boolean byLayer) {
  /** A group has at least this many times the size of its sums. */
  private static final long MIN_FACTOR = 64;

  /** The number of groups is about this at most. */
  private static final long MAX_GROUPS = 4096;

  /** The size of the sums of all layers that a task has in memory. */
  private static final long MAX_BYTES = 16 << 20;

  /** A group has about this many tokens at most, as their labels and padding are in memory. */
  private static final long MAX_TOKENS = 1 << 25;

  /**
   * @param sampled the number of examples that are read
   */
  static ExampleGroups of(Geometry geometry, SumsShape shape, long sampled) {
    long block = (long) geometry.tokens() * geometry.vectorBytes();
    double share = (double) sampled / geometry.examples();
    long least = (long) Math.ceil(MIN_FACTOR * shape.bytes() / (block * share));
    long most = Math.max(1, MAX_TOKENS / geometry.tokens());
    return new ExampleGroups(
        Math.min(most, Math.max(least, geometry.examples() / MAX_GROUPS)),
        shape.bytes() * geometry.layers().size() > MAX_BYTES);
  }
}
