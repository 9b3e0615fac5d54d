package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;

/**
 * Whether the time at which a vector comes depends on where it lies. Vectors of a chunk move
 * together, so of each chunk one vector is looked at in an epoch, another one in the next. Counts
 * of (place of the chunk, time of the vector) over many epochs are compared with equal ones by
 * chi-square. Within an epoch no two vectors come at the same time, which makes counts a little
 * more equal than independent ones, never less.
 */
@Tag("late")
class ShuffleQualityTest {
  private static final int CHUNKS = 48;
  private static final int CHUNK = 16;
  private static final int VECTORS = CHUNKS * CHUNK;
  private static final int EPOCHS = 1000;
  private static final int PLACES = 12;
  private static final int TIMES = 24;

  /** A window has 4 chunks of the 48. */
  private static final ReaderOptions OPTIONS =
      ReaderOptions.defaults().withBatchSize(16).withBufferSize(8).withThreads(2);

  /** Tells at which time each vector comes in an epoch. */
  private interface Times {
    int[] of(int epoch) throws IOException;
  }

  @Test
  void timeDoesNotDependOnPosition() throws IOException {
    Geometry geometry = new Geometry(VECTORS / 8, java.util.List.of(1), 8, 8);
    InventedDataset dataset = new InventedDataset(geometry, false, 20);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, 1);
    int chunkBytes = CHUNK * geometry.vectorBytes();
    try (ShuffledReader reader = new ShuffledReader(dataset, view, OPTIONS, chunkBytes)) {
      assertThat(deviation(epoch -> times(reader, epoch))).isBetween(-5.0, 4.0);
    }
  }

  @Test
  void windowsOverChunksInTheirOwnOrderWouldBeNoticed() throws IOException {
    assertThat(deviation(epoch -> simulated(epoch, true))).isBetween(-5.0, 4.0);
    assertThat(deviation(epoch -> simulated(epoch, false))).isGreaterThan(1000);
    assertThat(deviation(epoch -> simulated(0, true))).isGreaterThan(1000);
  }

  /** How many standard deviations chi-square is away from its mean. */
  private static double deviation(Times times) throws IOException {
    long[][] counts = new long[PLACES][TIMES];
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      int[] time = times.of(epoch);
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        int vector = chunk * CHUNK + epoch % CHUNK;
        counts[chunk * PLACES / CHUNKS][time[vector] * TIMES / VECTORS]++;
      }
    }
    double expected = (double) EPOCHS * CHUNKS / PLACES / TIMES;
    double chiSquare = 0;
    for (long[] row : counts) {
      for (long count : row) {
        chiSquare += (count - expected) * (count - expected) / expected;
      }
    }
    double freedom = PLACES * (TIMES - 1);
    return (chiSquare - freedom) / Math.sqrt(2 * freedom);
  }

  private static int[] times(ShuffledReader reader, int epoch) throws IOException {
    int[] times = new int[VECTORS];
    int time = 0;
    reader.startEpoch(epoch);
    while (reader.next()) {
      for (int row = 0; row < reader.batch().rows(); row++) {
        times[(int) reader.batch().index(row)] = time++;
      }
    }
    return times;
  }

  /** The same design in a few lines, to be broken on purpose. */
  private static int[] simulated(int epoch, boolean shuffleChunks) {
    SplitMix64 random = new SplitMix64(epoch);
    int[] order = new int[CHUNKS];
    random.permute(order);
    int window = 4 * CHUNK;
    int[] slots = new int[window];
    int[] times = new int[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
      if (i % window == 0) {
        random.permute(slots);
      }
      int chunk = shuffleChunks ? order[i / CHUNK] : i / CHUNK;
      int slot = slots[i % window];
      times[chunk * CHUNK + i % CHUNK] = i / window * window + slot;
    }
    return times;
  }
}
