package org.saevhadoop.format.reader.vector;

import java.time.Duration;
import java.util.Set;
import org.saevhadoop.format.api.PublicApi;

/**
 * Options of {@link OrderedReader} and {@link ShuffledReader}. The loaders of the SAEV project have
 * the same defaults.
 *
 * @param batchSize the number of vectors per batch
 * @param bufferSize the maximum number of batches in memory
 * @param threads the number of reading threads
 * @param seed the seed of the order; the epoch number is combined with it
 * @param dropLast whether the last batch is omitted if it is not full
 * @param batchTimeout the maximum time to wait for a batch while no data is read
 * @param ignoreLabels the labels (0 to 255) whose patches are omitted; only for shuffled reads
 * @param scaleNorm whether all floats are multiplied by the factor that makes the mean squared norm
 *     of the vectors equal to their dim; requires an additional pass over the data
 */
@PublicApi
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
   * Checks the options.
   *
   * @throws IllegalArgumentException if a value is out of range
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

  /**
   * Returns the defaults: batches of 16384 vectors, 64 batches in memory, 4 threads, seed 17, a
   * timeout of 30 seconds, and nothing omitted.
   */
  public static ReaderOptions defaults() {
    return new ReaderOptions(16384, 64, 4, 17, false, Duration.ofSeconds(30), Set.of(), false);
  }

  /** Returns these options with another {@link #batchSize}. */
  public ReaderOptions withBatchSize(int value) {
    return new ReaderOptions(
        value, bufferSize, threads, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** Returns these options with another {@link #bufferSize}. */
  public ReaderOptions withBufferSize(int value) {
    return new ReaderOptions(
        batchSize, value, threads, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** Returns these options with another number of {@link #threads}. */
  public ReaderOptions withThreads(int value) {
    return new ReaderOptions(
        batchSize, bufferSize, value, seed, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** Returns these options with another {@link #seed}. */
  public ReaderOptions withSeed(long value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, value, dropLast, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** Returns these options with another {@link #dropLast}. */
  public ReaderOptions withDropLast(boolean value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, value, batchTimeout, ignoreLabels, scaleNorm);
  }

  /** Returns these options with another {@link #batchTimeout}. */
  public ReaderOptions withBatchTimeout(Duration value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, dropLast, value, ignoreLabels, scaleNorm);
  }

  /** Returns these options with other {@link #ignoreLabels}. */
  public ReaderOptions withIgnoreLabels(Set<Integer> value) {
    return new ReaderOptions(
        batchSize, bufferSize, threads, seed, dropLast, batchTimeout, value, scaleNorm);
  }

  /** Returns these options with another {@link #scaleNorm}. */
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
