package org.saevhadoop.format.reader.vector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.saevhadoop.format.io.Quote;

/** Batches of a reader, allocated on first use and reused. */
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
   * Returns the size in bytes of the floats in a batch.
   *
   * @throws IllegalArgumentException if the floats exceed the capacity of a buffer
   */
  static long checkedBytes(VectorView view, int batchSize) {
    long bytes = Math.min(batchSize, view.length()) * view.geometry().vectorBytes();
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "a batch of %d vectors has %d bytes (expected less than 2 GiB: choose smaller ones)",
              batchSize, bytes));
    }
    return Math.max(1, bytes);
  }

  boolean labelled() {
    return labelled;
  }

  /** Returns batches for {@code rows} vectors, all full except possibly the last one. */
  synchronized List<VectorBatch> take(long rows) {
    List<VectorBatch> batches = new ArrayList<>();
    for (long left = rows; left > 0; left -= batchSize) {
      VectorBatch batch = idle.isEmpty() ? new VectorBatch(view, mostRows, labelled) : idle.pop();
      batch.setRows((int) Math.min(left, batchSize));
      batches.add(batch);
    }
    return batches;
  }

  /** Takes back batches that are no longer read. */
  synchronized void giveBack(List<VectorBatch> batches) {
    idle.addAll(batches);
  }
}
