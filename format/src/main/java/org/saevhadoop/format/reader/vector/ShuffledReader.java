package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Reads a view in random order, each vector once per epoch. The order depends only on the seed and
 * the epoch number, not on the number of threads or the platform.
 *
 * <p>The view is divided into chunks of 1 to 8 MiB, which are permuted; the resulting stream is
 * divided into windows of half the buffered batches, and each window is shuffled completely. The
 * batch and row of a vector are determined before it is read, so threads write vectors directly to
 * their destination. Memory use: the buffered batches, 14 bytes for each of their vectors, up to 32
 * MiB for the order of a dataset of several terabytes, and up to 4 MiB per thread. Batches must be
 * consumed by one thread.
 */
@PublicApi
public final class ShuffledReader implements Closeable {
  /**
   * Minimum number of open files per thread, even if many threads share the limit of {@link
   * IndexedReader}.
   */
  private static final int MIN_OPEN_FILES = 32;

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
   * Creates a reader at the beginning of epoch 0.
   *
   * @throws IllegalArgumentException if a batch is 2 GiB or larger, there are more than 2^31
   *     buffered vectors, or the values are not float32
   * @throws FormatException if the options ignore labels and the dataset has none, or the floats
   *     cannot be scaled
   */
  public ShuffledReader(ActivationDataset dataset, VectorView view, ReaderOptions options)
      throws IOException {
    this(dataset, view, options, chunkBytes(view, options));
  }

  /**
   * Long chunks require few connections to remote storage; a window still mixes hundreds of them.
   */
  private static int chunkBytes(VectorView view, ReaderOptions options) {
    double window = (double) windowVectors(view, options) * view.geometry().vectorBytes();
    return (int)
        Math.max(ViewChunks.MIN_BYTES, Math.min(ViewChunks.MAX_BYTES, window / CHUNKS_A_WINDOW));
  }

  private static long windowVectors(VectorView view, ReaderOptions options) {
    long window = (long) Math.max(1, options.bufferSize() / 2) * options.batchSize();
    return Math.max(1, Math.min(window, view.length()));
  }

  ShuffledReader(ActivationDataset dataset, VectorView view, ReaderOptions options, int chunkBytes)
      throws IOException {
    view.requireFloats(dataset);
    String path = dataset.path();
    boolean filtered = !options.ignoreLabels().isEmpty();
    DatasetError.NO_LABELS.check(
        !filtered || dataset.hasLabels(),
        path,
        "has no labels to ignore (expected ignoreLabels to be empty)");
    options.ignoreLabels().forEach(label -> ignored[label] = true);
    this.view = view;
    this.options = options;
    BatchPool.checkedBytes(view, options.batchSize());
    long buffered = windowVectors(view, options);
    if (buffered > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "%d vectors are too many to be shuffled at once (expected less than 2^31)",
              buffered));
    }
    this.windowVectors = (int) buffered;
    boolean labelled = dataset.hasLabels() && view.hasPatches();
    this.pool = new BatchPool(view, options.batchSize(), labelled);
    this.chunks = new ViewChunks(view, chunkBytes);
    this.scale = NormScale.of(dataset, view, options);
    int openFiles = Math.max(MIN_OPEN_FILES, IndexedReader.OPEN_FILES / options.threads());
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

  /** Returns the number of vectors that an epoch delivers. */
  public long length() {
    return length;
  }

  /** Returns the factor by which all floats are multiplied. */
  public float scale() {
    return scale;
  }

  /** Returns the epoch number. */
  public long epoch() {
    return epoch;
  }

  /** Starts an epoch from any position and reuses the buffers. */
  public void startEpoch(long number) throws IOException {
    SplitMix64 order = new SplitMix64(options.seed(), number);
    ahead.start(new ShuffleOrder(view, chunks, ignored, pool, windowVectors, length, order));
    epoch = number;
  }

  /**
   * Advances to the next batch; returns false at the end of the epoch.
   *
   * @throws IOException if a read failed, in which case the message contains the file and the
   *     offset, or if no data was read during the batch timeout
   */
  public boolean next() throws IOException {
    return ahead.next();
  }

  /** Returns the current batch, which is valid until the next call of {@link #next}. */
  public VectorBatch batch() {
    return ahead.batch();
  }

  @Override
  public void close() {
    ahead.close();
  }
}
