package org.saevhadoop.format.reader.vector;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Division of a view into chunks: ranges of consecutive vectors that a shuffle moves together.
 * Chunks are large enough to be read fast and few enough for their order to fit into memory.
 */
final class ViewChunks {
  /**
   * Minimum size of a chunk in bytes, at which the cost of a seek is small even on a disk or HDFS.
   */
  static final int MIN_BYTES = 1 << 20;

  static final int MAX_BYTES = 8 << 20;

  private static final int MAX_CHUNKS = 4 << 20;

  /** Maximum number of labels that are counted together. */
  private static final int MAX_LABELS = 1 << 20;

  private final long vectors;
  private final int size;
  private final int count;

  /** Number of delivered vectors of each chunk; null if all are delivered. */
  private int @Nullable [] delivered;

  ViewChunks(VectorView view, int chunkBytes) {
    this.vectors = view.length();
    long wanted = Math.max(1, chunkBytes / view.geometry().vectorBytes());
    this.size = Math.toIntExact(Math.max(wanted, (vectors + MAX_CHUNKS - 1) / MAX_CHUNKS));
    this.count = (int) ((vectors + size - 1) / size);
  }

  int count() {
    return count;
  }

  long first(int chunk) {
    return (long) chunk * size;
  }

  /** Returns the index after the last vector of a chunk. */
  long end(int chunk) {
    return Math.min(vectors, first(chunk) + size);
  }

  /** Returns the number of delivered vectors of a chunk. */
  int delivered(int chunk) {
    return delivered == null ? (int) (end(chunk) - first(chunk)) : delivered[chunk];
  }

  /** Returns the total number of delivered vectors. */
  long delivered() {
    if (delivered == null) {
      return vectors;
    }
    long sum = 0;
    for (int n : delivered) {
      sum += n;
    }
    return sum;
  }

  /** Returns a window without batches that counts the vectors whose labels are not ignored. */
  ReadWindow countWithout(boolean[] ignored) {
    int[] counts = new int[count];
    delivered = counts;
    int atOnce = Math.max(1, MAX_LABELS / size);
    return new ReadWindow(List.of(), (count - 1) / atOnce + 1) {
      @Override
      void fill(int part, VectorSource source) throws IOException {
        int from = part * atOnce;
        int to = Math.min(count, from + atOnce);
        short[] labels = new short[(int) (end(to - 1) - first(from))];
        source.labels(first(from), end(to - 1), labels);
        for (int i = 0; i < labels.length; i++) {
          if (labels[i] == VectorBatch.NO_LABEL || !ignored[labels[i]]) {
            counts[from + i / size]++;
          }
        }
      }
    };
  }
}
