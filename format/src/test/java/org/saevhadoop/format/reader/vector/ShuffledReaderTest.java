package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class ShuffledReaderTest {
  private static final ReaderOptions OPTIONS =
      ReaderOptions.defaults().withBatchSize(16).withBufferSize(6).withThreads(3);

  /** Chunks of a few vectors, so that a small dataset has many. */
  private static final int CHUNK_BYTES = 100;

  @Property(tries = 150, sample = 50)
  void everyVectorOfEveryViewComesOnceAndIsRight(RandomValues any) throws IOException {
    int examples = any.intBetween(0, 9);
    int layers = any.intBetween(1, 3);
    int perShard = any.intBetween(1, 4);
    int batchSize = any.intBetween(1, 20);
    int bufferSize = any.intBetween(1, 9);
    boolean byLayer = any.bool();
    TokenChoice tokens = any.of(TokenChoice.class);
    Set<Integer> ignored = Set.copyOf(any.list(0, 6, () -> any.intBetween(0, 5)));
    boolean dropLast = any.bool();
    Geometry geometry = BlockCursorTest.geometry(examples, layers, 4, 3);
    InventedDataset invented = new InventedDataset(geometry, byLayer, perShard);
    ChangedDataset dataset = ChangedDataset.labelled(invented, 3);
    VectorView view = VectorView.of(dataset, 1, tokens, null);
    ReaderOptions options =
        OPTIONS
            .withBatchSize(batchSize)
            .withBufferSize(bufferSize)
            .withIgnoreLabels(ignored)
            .withDropLast(dropLast);
    List<Row> expected =
        Row.of(dataset, view).stream().filter(row -> !ignored.contains(row.label())).toList();
    try (ShuffledReader reader = new ShuffledReader(dataset, view, options, CHUNK_BYTES)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        reader.startEpoch(epoch);
        List<Row> rows = epoch(reader);
        assertThat(rows).hasSize((int) reader.length());
        if (dropLast) {
          assertThat(rows).hasSize(expected.size() / batchSize * batchSize);
          assertThat(rows).doesNotHaveDuplicates().isSubsetOf(expected);
        } else {
          assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void theOrderFollowsFromTheSeedAlone(int threads) throws IOException {
    // pinned: a change of the order would break whoever resumes a training run
    assertThat(order(OPTIONS.withThreads(threads)).subList(0, 12))
        .containsExactly(109L, 172L, 207L, 108L, 168L, 234L, 237L, 37L, 206L, 173L, 175L, 33L);
    assertThat(order(OPTIONS.withThreads(threads))).isEqualTo(order(OPTIONS.withThreads(2)));
  }

  @Test
  void anotherSeedAndAnotherEpochAreAnotherOrder() throws IOException {
    List<Long> first = order(OPTIONS);
    assertThat(order(OPTIONS.withSeed(18))).isNotEqualTo(first);
    try (ShuffledReader reader = reader(OPTIONS)) {
      assertThat(indexes(reader)).isEqualTo(first);
      reader.startEpoch(1);
      assertThat(reader.epoch()).isEqualTo(1);
      List<Long> second = indexes(reader);
      assertThat(second).isNotEqualTo(first).containsExactlyInAnyOrderElementsOf(first);
      reader.startEpoch(5);
      assertThat(reader.next()).isTrue();
      reader.startEpoch(1);
      assertThat(indexes(reader)).isEqualTo(second);
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void allLabelsButThoseOfClsCanBeIgnored() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(30, 2, 5, 3);
    ChangedDataset dataset = ChangedDataset.labelled(new InventedDataset(geometry, false, 7), 4);
    ReaderOptions none = OPTIONS.withIgnoreLabels(Set.of(0, 1, 2, 3, 4));
    VectorView all = VectorView.of(dataset, 1, TokenChoice.ALL, null);
    try (ShuffledReader reader = new ShuffledReader(dataset, all, none)) {
      assertThat(reader.length()).isEqualTo(60);
      assertThat(epoch(reader)).allMatch(row -> row.patch() == VectorView.NO_PATCH);
    }
    VectorView image = VectorView.of(dataset, 1, TokenChoice.IMAGE, null);
    try (ShuffledReader reader = new ShuffledReader(dataset, image, none)) {
      assertThat(reader.length()).isZero();
      assertThat(reader.next()).isFalse();
    }
  }

  @Test
  void labelsThatAreNotThereCanNotBeIgnored() throws IOException {
    InventedDataset dataset = new InventedDataset(BlockCursorTest.geometry(3, 1, 2, 2), false, 2);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, 11);
    assertFails(
        DatasetError.NO_LABELS,
        "invented",
        () -> new ShuffledReader(dataset, view, OPTIONS.withIgnoreLabels(Set.of(1))));
  }

  @Test
  void theNormOfWhatIsDeliveredIsScaledToDim() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(30, 2, 5, 70);
    ChangedDataset dataset = ChangedDataset.labelled(new InventedDataset(geometry, false, 7), 4);
    ReaderOptions options = OPTIONS.withIgnoreLabels(Set.of(0, 2, 4)).withScaleNorm(true);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.IMAGE, null);
    double sum = 0;
    float[] plain = new float[70];
    try (ShuffledReader reader = new ShuffledReader(dataset, view, options, CHUNK_BYTES);
        IndexedReader indexed = new IndexedReader(dataset, view)) {
      while (reader.next()) {
        var floats = reader.batch().floats();
        for (int row = 0; row < reader.batch().rows(); row++) {
          indexed.read(reader.batch().index(row), plain);
          for (float value : plain) {
            float scaled = floats.get();
            assertThat(scaled).isEqualTo(value * reader.scale());
            sum += (double) scaled * scaled;
          }
        }
      }
      assertThat(sum / reader.length()).isBetween(70 * 0.99999, 70 * 1.00001);
    }
  }

  @Test
  void vectorsThatAreAllZeroCanNotBeScaled() throws IOException {
    InventedDataset dataset = new InventedDataset(new Geometry(1, List.of(11), 1, 1), false, 2);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, 11);
    assertFails(
        DatasetError.NOT_SCALABLE,
        "invented",
        () -> new ShuffledReader(dataset, view, OPTIONS.withScaleNorm(true)));
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> OPTIONS.withBatchSize(0))
        .hasMessage("batchSize is 0 (expected at least 1)");
    assertThatThrownBy(() -> OPTIONS.withThreads(-1))
        .hasMessage("threads is -1 (expected at least 1)");
    assertThatThrownBy(() -> OPTIONS.withBufferSize(0))
        .hasMessage("bufferSize is 0 (expected at least 1)");
    assertThatThrownBy(() -> OPTIONS.withIgnoreLabels(Set.of(256)))
        .hasMessage("ignoreLabels is 256 (expected 0 to 255)");
    assertThatThrownBy(() -> OPTIONS.withBatchTimeout(java.time.Duration.ZERO))
        .hasMessage("batchTimeout is PT0S (expected at least a millisecond)");
  }

  @Test
  void aClosedReaderReportsIt() throws IOException {
    ShuffledReader reader = reader(OPTIONS);
    reader.close();
    reader.close();
    assertThatThrownBy(reader::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("invented: this reader is closed");
  }

  private static ShuffledReader reader(ReaderOptions options) throws IOException {
    Geometry geometry = BlockCursorTest.geometry(50, 2, 4, 3);
    InventedDataset dataset = new InventedDataset(geometry, false, 7);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.IMAGE, null);
    return new ShuffledReader(dataset, view, options, CHUNK_BYTES);
  }

  private static List<Long> order(ReaderOptions options) throws IOException {
    try (ShuffledReader reader = reader(options)) {
      return indexes(reader);
    }
  }

  private static List<Long> indexes(ShuffledReader reader) throws IOException {
    List<Long> indexes = new ArrayList<>();
    while (reader.next()) {
      VectorBatch batch = reader.batch();
      LongStream.range(0, batch.rows()).map(row -> batch.index((int) row)).forEach(indexes::add);
    }
    assertThat(indexes.stream().collect(Collectors.toSet())).hasSize(300);
    return indexes;
  }

  private static List<Row> epoch(ShuffledReader reader) throws IOException {
    List<Row> rows = new ArrayList<>();
    while (reader.next()) {
      rows.addAll(Row.of(reader.batch()));
    }
    return rows;
  }
}
