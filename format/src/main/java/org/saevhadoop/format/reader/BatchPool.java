package org.saevhadoop.format.reader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The batches of a reader, made when they are first needed and used again and again. */
final class BatchPool {
  private final VectorView view;
  private final int batchSize;
  private final int mostRows;
  private final boolean labelled;
  private final Deque<VectorBatch> idle = new ArrayDeque<>();

  BatchPool(VectorView view, int batchSize, boolean labelled) {
    this.view = view;
    this.batchSize = batchSize;
    this.mostRows = (int) Math.min(batchSize, view.length());
    this.labelled = labelled;
  }

  /**
   * Bytes of a batch's floats.
   *
   * @throws IllegalArgumentException where a buffer can not hold as many
   */
  static long checkedBytes(VectorView view, int batchSize) {
    long bytes = Math.min(batchSize, view.length()) * view.geometry().vectorBytes();
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "a batch of %d vectors has %d bytes (expected less than 2 GiB: ask for smaller ones)"
              .formatted(batchSize, bytes));
    }
    return Math.max(1, bytes);
  }

  /** Whether the batches have labels. */
  boolean labelled() {
    return labelled;
  }

  /** Batches for {@code rows} vectors, all full but the last one. */
  synchronized List<VectorBatch> take(long rows) {
    List<VectorBatch> batches = new ArrayList<>();
    for (long left = rows; left > 0; left -= batchSize) {
      VectorBatch batch = idle.isEmpty() ? new VectorBatch(view, mostRows, labelled) : idle.pop();
      batch.setRows((int) Math.min(left, batchSize));
      batches.add(batch);
    }
    return batches;
  }

  /** Takes batches back that nobody reads any more. */
  synchronized void giveBack(List<VectorBatch> batches) {
    idle.addAll(batches);
  }
}
