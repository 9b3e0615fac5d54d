package org.saevhadoop.format.reader;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;

/**
 * Reads a view in a random order, each vector once an epoch. The order follows from the seed and
 * the number of the epoch alone: not from the threads, nor from the machine.
 *
 * <p>The view is cut into chunks of 1 to 8 MiB, which are put in a random order; the stream that
 * they make is cut into windows of half the buffered batches, and each window is shuffled whole. A
 * vector's batch and row are known before anything is read, so threads put vectors straight where
 * they go. Memory: the buffered batches, 14 bytes for each of their vectors, up to 32 MiB for the
 * order of a dataset of terabytes, and up to 4 MiB a thread. For one taking thread.
 */
public final class ShuffledReader implements Closeable {
  /** Files that each thread may have open, however many threads share {@link IndexedReader}'s. */
  private static final int LEAST_OPEN_FILES = 32;

  private static final int CHUNKS_A_WINDOW = 256;

  private final VectorView view;
  private final ReaderOptions options;
  private final ViewChunks chunks;
  private final boolean[] ignored = new boolean[256];
  private final long length;
  private final float scale;
  private final BatchPool pool;
  private final ReadAhead ahead;
  private final int windowVectors;
  private long epoch;

  /**
   * Begins epoch 0.
   *
   * @throws IllegalArgumentException where a batch is 2 GiB or more, or the buffered vectors are
   *     more than 2^31, or the numbers are no floats
   * @throws FormatException where labels are to be ignored and there are none, or the floats can
   *     not be scaled
   */
  public ShuffledReader(ActivationDataset dataset, VectorView view, ReaderOptions options)
      throws IOException {
    this(dataset, view, options, chunkBytes(view, options));
  }

  /** Long chunks cost few connections where storage is remote; a window mixes hundreds of them. */
  private static int chunkBytes(VectorView view, ReaderOptions options) {
    double window = (double) windowVectors(view, options) * view.geometry().vectorBytes();
    return (int)
        Math.max(ViewChunks.LEAST_BYTES, Math.min(ViewChunks.MOST_BYTES, window / CHUNKS_A_WINDOW));
  }

  private static long windowVectors(VectorView view, ReaderOptions options) {
    long window = (long) Math.max(1, options.bufferSize() / 2) * options.batchSize();
    return Math.max(1, Math.min(window, view.length()));
  }

  ShuffledReader(ActivationDataset dataset, VectorView view, ReaderOptions options, int chunkBytes)
      throws IOException {
    view.requireFloats(dataset);
    String path = dataset.folder().path();
    boolean filtered = !options.ignoreLabels().isEmpty();
    DatasetError.NO_LABELS.check(
        !filtered || dataset.hasLabels(),
        path,
        "has no labels that could be ignored (expected ignoreLabels to be empty)");
    options.ignoreLabels().forEach(label -> ignored[label] = true);
    this.view = view;
    this.options = options;
    BatchPool.checkedBytes(view, options.batchSize());
    long buffered = windowVectors(view, options);
    if (buffered > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d vectors are too many to be shuffled at once (expected less than 2^31)"
              .formatted(buffered));
    }
    this.windowVectors = (int) buffered;
    boolean labelled = dataset.hasLabels() && view.hasPatches();
    this.pool = new BatchPool(view, options.batchSize(), labelled);
    this.chunks = new ViewChunks(view, chunkBytes);
    this.scale = NormScale.of(dataset, view, options);
    int openFiles = Math.max(LEAST_OPEN_FILES, IndexedReader.OPEN_FILES / options.threads());
    this.ahead =
        new ReadAhead(
            path,
            pool,
            () -> new VectorSource(dataset, view, openFiles, scale),
            options,
            Math.min(2, options.bufferSize()));
    try {
      if (filtered && labelled && chunks.count() > 0) {
        Iterator<ReadWindow> count = List.of(chunks.countWithout(ignored)).iterator();
        ahead.start(() -> count.hasNext() ? count.next() : null);
        ahead.nextWindow();
      }
      long all = chunks.delivered();
      this.length = all - (options.dropLast() ? all % options.batchSize() : 0);
      startEpoch(0);
    } catch (IOException | RuntimeException | Error e) {
      ahead.close();
      throw e;
    }
  }

  /** The vectors that an epoch delivers. */
  public long length() {
    return length;
  }

  /** What every float is multiplied by. */
  public float scale() {
    return scale;
  }

  /** The number of the epoch. */
  public long epoch() {
    return epoch;
  }

  /** Goes to the beginning of an epoch, wherever the reader is, and uses its buffers again. */
  public void startEpoch(long number) throws IOException {
    SplitMix64 order = new SplitMix64(options.seed(), number);
    ahead.start(new ShuffleOrder(view, chunks, ignored, pool, windowVectors, length, order));
    epoch = number;
  }

  /**
   * Moves to the next batch; false at the end of the epoch.
   *
   * @throws IOException that names the file and the byte where a read failed, or where nothing was
   *     read for as long as the batch timeout
   */
  public boolean next() throws IOException {
    return ahead.next();
  }

  /** The batch that {@link #next} has moved to, valid until it is called again. */
  public VectorBatch batch() {
    return ahead.batch();
  }

  @Override
  public void close() {
    ahead.close();
  }
}
