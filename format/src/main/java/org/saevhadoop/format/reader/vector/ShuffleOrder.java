package org.saevhadoop.format.reader.vector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Windows of one epoch in random order. The order determines the vectors of each window and the row
 * of each vector.
 */
final class ShuffleOrder implements ReadAhead.Windows {
  /**
   * Size, in bytes, of the pieces in which vectors are read; a piece fits into the processor cache.
   */
  private static final int PIECE_BYTES = 128 << 10;

  private final ViewChunks chunks;
  private final boolean[] ignored;
  private final BatchPool pool;
  private final int windowVectors;
  private final int pieceVectors;
  private final int vectorBytes;
  private final SplitMix64 random;
  private long left;
  private int @Nullable [] order;
  private int position;
  private int skip;

  /**
   * Creates the order of one epoch.
   *
   * @param ignored the labels whose vectors are omitted
   * @param windowVectors the number of vectors that are shuffled together
   * @param vectors the number of vectors that the epoch delivers
   */
  ShuffleOrder(
      VectorView view,
      ViewChunks chunks,
      boolean[] ignored,
      BatchPool pool,
      int windowVectors,
      long vectors,
      SplitMix64 random) {
    this.chunks = chunks;
    this.ignored = ignored;
    this.pool = pool;
    this.windowVectors = windowVectors;
    this.vectorBytes = view.geometry().vectorBytes();
    this.pieceVectors = Math.max(1, PIECE_BYTES / vectorBytes);
    this.left = vectors;
    this.random = random;
  }

  /** Part of a chunk: {@code take} delivered vectors that follow the first {@code skip} ones. */
  private record Part(int chunk, int skip, int take, int firstSlot) {}

  @Override
  public @Nullable ReadWindow next() {
    if (order == null) {
      order = new int[chunks.count()];
      random.permute(order);
    }
    int vectors = (int) Math.min(windowVectors, left);
    if (vectors == 0) {
      return null;
    }
    left -= vectors;
    List<Part> parts = new ArrayList<>();
    for (int slot = 0; slot < vectors; ) {
      int chunk = order[position];
      int take = Math.min(chunks.delivered(chunk) - skip, vectors - slot);
      if (take > 0) {
        parts.add(new Part(chunk, skip, take, slot));
        slot += take;
        skip += take;
      }
      if (skip == chunks.delivered(chunk)) {
        skip = 0;
        position++;
      }
    }
    int[] slots = new int[vectors];
    random.permute(slots);
    return new Shuffled(pool.take(vectors), parts, slots);
  }

  private final class Shuffled extends ReadWindow {
    private final VectorBatch[] rows;
    private final int batchSize;
    private final List<Part> parts;
    private final int[] slots;

    Shuffled(List<VectorBatch> batches, List<Part> parts, int[] slots) {
      super(batches, parts.size());
      this.rows = batches.toArray(VectorBatch[]::new);
      this.batchSize = rows[0].rows();
      this.parts = parts;
      this.slots = slots;
    }

    @Override
    void fill(int number, VectorSource source) throws IOException {
      Part part = parts.get(number);
      int slot = part.firstSlot();
      int slotEnd = slot + part.take();
      int skip = part.skip();
      long[] kept = new long[pieceVectors];
      short[] labels = new short[pieceVectors];
      Arrays.fill(labels, VectorBatch.NO_LABEL);
      long end = chunks.end(part.chunk());
      for (long index = chunks.first(part.chunk());
          slot < slotEnd && index < end;
          index += pieceVectors) {
        int candidates = (int) Math.min(pieceVectors, end - index);
        if (pool.labelled()) {
          source.labels(index, index + candidates, labels);
        }
        int n = 0;
        for (int i = 0; i < candidates && slot + n < slotEnd; i++) {
          boolean delivered = labels[i] == VectorBatch.NO_LABEL || !ignored[labels[i]];
          if (delivered && --skip < 0) {
            kept[n] = index + i;
            labels[n++] = labels[i];
          }
        }
        ByteBuffer piece = source.piece(pieceVectors);
        source.into(piece);
        addRuns(kept, n, source);
        source.finish();
        scatter(piece, kept, labels, n, slot);
        slot += n;
      }
      if (slot < slotEnd) {
        throw new IOException(
            "the labels have changed since they were counted: vectors %d to %d hold fewer that are"
                    .formatted(chunks.first(part.chunk()), end - 1)
                + " not ignored");
      }
    }

    private void addRuns(long[] kept, int n, VectorSource source) throws IOException {
      for (int from = 0, to; from < n; from = to) {
        to = from + 1;
        while (to < n && kept[to] == kept[to - 1] + 1) {
          to++;
        }
        source.add(kept[from], kept[to - 1] + 1);
      }
    }

    private void scatter(ByteBuffer piece, long[] kept, short[] labels, int n, int firstSlot) {
      for (int i = 0; i < n; i++) {
        int slot = slots[firstSlot + i];
        VectorBatch batch = rows[slot / batchSize];
        batch.put(slot % batchSize, kept[i], labels[i], piece, i * vectorBytes);
      }
    }
  }
}
