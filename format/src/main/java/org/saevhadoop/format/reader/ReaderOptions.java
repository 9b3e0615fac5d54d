package org.saevhadoop.format.reader;

import java.time.Duration;
import java.util.Set;

/**
 * How {@link OrderedReader} and {@link ShuffledReader} read. The defaults are those of the SAEV
 * project's own loaders.
 *
 * @param batchSize vectors of a batch
 * @param bufferSize batches that may be in memory at once
 * @param threads how many threads read
 * @param seed of the order, with the number of the epoch
 * @param dropLast whether a last batch that is not full is left out
 * @param batchTimeout how long to wait for a batch while nothing at all is read
 * @param ignoreLabels patches with one of these labels (0 to 255) are left out; only shuffled
 * @param scaleNorm whether all floats are multiplied by one factor that makes the mean squared norm
 *     of the vectors equal to their dim, which costs a pass over the data beforehand
 */
public record ReaderOptions(
    int batchSize,
    int bufferSize,
    int threads,
    long seed,
    boolean dropLast,
    Duration batchTimeout,
    Set<Integer> ignoreLabels,
    boolean scaleNorm) {

  /**
   * @throws IllegalArgumentException for values that make no sense
   */
  public ReaderOptions {
    ignoreLabels = Set.copyOf(ignoreLabels);
    require(batchSize >= 1, "batchSize", batchSize, "at least 1");
    require(bufferSize >= 1, "bufferSize", bufferSize, "at least 1");
    require(threads >= 1, "threads", threads, "at least 1");
    boolean longEnough = batchTimeout.compareTo(Duration.ofMillis(1)) >= 0;
    require(longEnough, "batchTimeout", batchTimeout, "at least a millisecond");
    for (int label : ignoreLabels) {
      require(label >= 0 && label <= 255, "ignoreLabels", label, "0 to 255");
    }
  }

  /** Batches of 16384, 64 of them in memory, 4 threads, seed 17, 30 seconds, nothing left out. */
  public static ReaderOptions defaults() {
    return new ReaderOptions(16384, 64, 4, 17, false, Duration.ofSeconds(30), Set.of(), false);
  }

  /** These options with another {@link #batchSize}. */
  public ReaderOptions withBatchSize(int value) {
    return new ReaderOptions(
        value, bufferSize, threads, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** These options with another {@link #bufferSize}. */
  public ReaderOptions withBufferSize(int value) {
    return new ReaderOptions(
        batchSize, value, threads, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** These options with another number of {@link #threads}. */
  public ReaderOptions withThreads(int value) {
    return new ReaderOptions(
        batchSize, bufferSize, value, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** These options with another {@link #seed}. */
  public ReaderOptions withSeed(long value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, value, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** These options with another {@link #dropLast}. */
  public ReaderOptions withDropLast(boolean value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, value, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** These options with another {@link #batchTimeout}. */
  public ReaderOptions withBatchTimeout(Duration value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, dropLast, value, ignoreLabels, scaleNorm);
  }

  /** These options with other {@link #ignoreLabels}. */
  public ReaderOptions withIgnoreLabels(Set<Integer> value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, dropLast, batchTimeout, value, scaleNorm);
  }

  /** These options with another {@link #scaleNorm}. */
  public ReaderOptions withScaleNorm(boolean value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, dropLast, batchTimeout, ignoreLabels, value);
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException("%s is %s (expected %s)".formatted(name, value, expected));
    }
  }
}
