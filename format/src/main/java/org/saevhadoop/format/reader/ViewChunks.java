package org.saevhadoop.format.reader;

import java.io.IOException;
import java.util.List;

/**
 * A view cut into chunks, the ranges of consecutive vectors that a shuffle moves as one: long
 * enough to be read fast, few enough for their order to be held in memory.
 */
final class ViewChunks {
  /** Long enough for a read that begins elsewhere to cost little, even on a disk or HDFS. */
  static final int LEAST_BYTES = 1 << 20;

  static final int MOST_BYTES = 8 << 20;

  private static final int MOST_CHUNKS = 4 << 20;

  /** Labels that are counted at once. */
  private static final int MOST_LABELS = 1 << 20;

  private final long vectors;
  private final int size;
  private final int count;

  /** How many vectors of each chunk are delivered; null where all are. */
  private int[] delivered;

  ViewChunks(VectorView view, int chunkBytes) {
    this.vectors = view.length();
    long wanted = Math.max(1, chunkBytes / view.geometry().vectorBytes());
    this.size = Math.toIntExact(Math.max(wanted, (vectors + MOST_CHUNKS - 1) / MOST_CHUNKS));
    this.count = (int) ((vectors + size - 1) / size);
  }

  int count() {
    return count;
  }

  /** The first vector of a chunk. */
  long first(int chunk) {
    return (long) chunk * size;
  }

  /** The vector after the last one of a chunk. */
  long end(int chunk) {
    return Math.min(vectors, first(chunk) + size);
  }

  /** How many vectors of a chunk are delivered. */
  int delivered(int chunk) {
    return delivered == null ? (int) (end(chunk) - first(chunk)) : delivered[chunk];
  }

  /** How many vectors are delivered in all. */
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

  /** A window without batches whose work is to count what is left without some labels. */
  ReadWindow countWithout(boolean[] ignored) {
    delivered = new int[count];
    int atOnce = Math.max(1, MOST_LABELS / size);
    return new ReadWindow(List.of(), (count - 1) / atOnce + 1) {
      @Override
      void fill(int part, VectorSource source) throws IOException {
        int from = part * atOnce;
        int to = Math.min(count, from + atOnce);
        short[] labels = new short[(int) (end(to - 1) - first(from))];
        source.labels(first(from), end(to - 1), labels);
        for (int i = 0; i < labels.length; i++) {
          if (labels[i] == VectorBatch.NO_LABEL || !ignored[labels[i]]) {
            delivered[from + i / size]++;
          }
        }
      }
    };
  }
}
