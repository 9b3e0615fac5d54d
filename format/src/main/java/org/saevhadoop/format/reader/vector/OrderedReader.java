package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;

/**
 * Reads a view sequentially in batches, ahead of the consumer and with several threads. Batches
 * must be consumed by one thread.
 */
@PublicApi
public final class OrderedReader implements Closeable {
  /** Maximum size in bytes of a window that consists of several batches. */
  private static final int WINDOW_BYTES = 4 << 20;

  private static final int MIN_PIECE_BYTES = 1 << 20;

  /**
   * Number of pieces of a window per thread; it is small, because each piece costs a connection on
   * HDFS.
   */
  private static final int PIECES_A_THREAD = 2;

  private static final int MAX_WINDOWS = 3;

  /** The pieces of one thread are in one file, or in two at a file boundary. */
  private static final int OPEN_FILES = 2;

  private final VectorView view;
  private final int batchSize;
  private final int pieceVectors;
  private final int windowVectors;
  private final long end;
  private final BatchPool pool;
  private final ReadAhead ahead;

  /**
   * Creates a reader at the beginning of the view.
   *
   * @throws IllegalArgumentException if a batch is 2 GiB or larger, the options ignore labels, or
   *     the values are not float32
   * @throws org.saevhadoop.format.io.FormatException if the floats cannot be scaled
   */
  public OrderedReader(ActivationDataset dataset, VectorView view, ReaderOptions options)
      throws IOException {
    if (!options.ignoreLabels().isEmpty()) {
      throw new IllegalArgumentException("an ordered reader leaves nothing out (ignoreLabels)");
    }
    this.view = view;
    this.batchSize = options.batchSize();
    view.requireFloats(dataset);
    int vectorBytes = view.geometry().vectorBytes();
    long batchBytes = BatchPool.checkedBytes(view, batchSize);
    int batches = (int) Math.max(1, Math.min(options.bufferSize() / 2, WINDOW_BYTES / batchBytes));
    this.windowVectors = (int) Math.min(Math.max(1, view.length()), (long) batches * batchSize);
    int share = windowVectors / (PIECES_A_THREAD * options.threads());
    this.pieceVectors = Math.max(1, Math.max(MIN_PIECE_BYTES / vectorBytes, share));
    this.end = view.length() - (options.dropLast() ? view.length() % batchSize : 0);
    this.pool = new BatchPool(view, batchSize, dataset.hasLabels() && view.hasPatches());
    float scale = NormScale.of(dataset, view, options);
    this.ahead =
        new ReadAhead(
            dataset.path(),
            pool,
            () -> new VectorSource(dataset, view, OPEN_FILES, scale),
            options,
            Math.min(MAX_WINDOWS, options.bufferSize() / batches));
    restart();
  }

  /** Returns to the beginning from any position and reuses the buffers. */
  public void restart() throws IOException {
    ahead.start(new Strips());
  }

  /** Returns the number of vectors that an epoch delivers. */
  public long length() {
    return end;
  }

  /**
   * Advances to the next batch; returns false at the end.
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

  /** Source of all windows, beginning with the first one. */
  private final class Strips implements ReadAhead.Windows {
    private long first;

    @Override
    public @Nullable ReadWindow next() {
      int vectors = (int) Math.min(windowVectors, end - first);
      first += vectors;
      return vectors == 0 ? null : new Strip(pool.take(vectors), first - vectors, vectors);
    }
  }

  /** Consecutive vectors that are read in pieces directly into their batches. */
  private final class Strip extends ReadWindow {
    private final long first;
    private final int vectors;

    Strip(List<VectorBatch> batches, long first, int vectors) {
      super(batches, (vectors - 1) / pieceVectors + 1);
      this.first = first;
      this.vectors = vectors;
    }

    @Override
    void fill(int part, VectorSource source) throws IOException {
      int from = part * pieceVectors;
      int to = (int) Math.min(vectors, (long) from + pieceVectors);
      while (from < to) {
        VectorBatch batch = batches().get(from / batchSize);
        int row = from % batchSize;
        int count = Math.min(to - from, batchSize - row);
        fill(batch, row, first + from, count, source);
        from += count;
      }
    }

    private void fill(VectorBatch batch, int row, long index, int count, VectorSource source)
        throws IOException {
      ByteBuffer rows = batch.rowBytes(row, row + count);
      source.read(index, index + count, rows);
      batch.identify(row, index, count);
      if (pool.labelled()) {
        short[] labels = new short[count];
        source.labels(index, index + count, labels);
        batch.setLabels(row, labels, count);
      }
    }
  }
}
