package org.saevhadoop.jobs.stats;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.permutation.ExampleSample;

/**
 * The sizes that the client and the tasks derive only from the shape of a dataset, so that all of
 * them agree: the sizes of sums, the groups of examples whose vectors are added up together, and
 * the number of random pairs.
 *
 * @param geometry the shape of the dataset
 * @param labels the number of labels; 0 if there are none
 * @param sampled the number of examples that are read
 */
record StatsLayout(Geometry geometry, int labels, long sampled) {
  /** The number of possible SAEV labels, which are bytes. */
  private static final int LABELS = 256;

  /**
   * The size of all parts that do not depend on the shape, and of a sketch with a few hundred
   * buckets.
   */
  private static final int BASE_BYTES = 4 << 10;

  /** The minimum ratio of the size of a group to the size of its sums. */
  private static final long MIN_FACTOR = 64;

  /** The approximate maximum number of groups. */
  private static final long MAX_GROUPS = 4096;

  /** The maximum size of the sums of all layers that a task holds in memory. */
  private static final long MAX_BYTES = 16 << 20;

  /**
   * The approximate maximum number of tokens in a group, whose labels and padding marks are held in
   * memory.
   */
  private static final long MAX_TOKENS = 1 << 25;

  static StatsLayout of(ActivationDataset dataset, @Nullable ExampleSample sample) {
    Geometry geometry = dataset.geometry();
    long sampled = sample == null ? geometry.examples() : sample.count();
    return new StatsLayout(geometry, dataset.hasLabels() ? LABELS : 0, sampled);
  }

  int layers() {
    return geometry.layers().size();
  }

  /** Returns the approximate size in bytes of the written sums of a layer. */
  long sumsBytes() {
    return BASE_BYTES
        + (long) geometry.dim() * DimensionSums.BYTES
        + 24L * (geometry.tokens() + labels);
  }

  /** Returns the number of examples in a group, including examples that are not sampled. */
  long groupExamples() {
    double share = (double) sampled / geometry.examples();
    long least = (long) Math.ceil(MIN_FACTOR * sumsBytes() / (geometry.blockBytes() * share));
    long most = Math.max(1, MAX_TOKENS / geometry.tokens());
    return Math.min(most, Math.max(least, geometry.examples() / MAX_GROUPS));
  }

  /**
   * Returns whether the layers of a group are read one after another, because the sums of all
   * layers are large.
   */
  boolean byLayer() {
    return sumsBytes() * layers() > MAX_BYTES;
  }

  /** Returns the number of random vector pairs per layer. */
  int pairs() {
    long vectorBytes = (long) geometry.dim() * Math.max(Float.BYTES, geometry.elementBytes());
    return VectorPairs.count(sampled * geometry.tokens(), vectorBytes * layers());
  }
}
