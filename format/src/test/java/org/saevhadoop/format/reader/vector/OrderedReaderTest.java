package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class OrderedReaderTest {
  private static final ReaderOptions OPTIONS =
      ReaderOptions.defaults().withBatchSize(16).withBufferSize(8).withThreads(3);

  @Property(tries = 100, sample = 40)
  void everyViewComesWholeAndInItsOrder(RandomValues any) throws IOException {
    int examples = any.intBetween(0, 9);
    int layers = any.intBetween(1, 3);
    int perShard = any.intBetween(1, 4);
    int batchSize = any.intBetween(1, 20);
    int bufferSize = any.intBetween(1, 9);
    boolean byLayer = any.bool();
    TokenChoice tokens = any.of(TokenChoice.class);
    boolean labelled = any.bool();
    Geometry geometry = BlockCursorTest.geometry(examples, layers, 4, 3);
    InventedDataset invented = new InventedDataset(geometry, byLayer, perShard);
    ChangedDataset dataset = ChangedDataset.labelled(invented, labelled ? 3 : 0);
    VectorView view = VectorView.of(dataset, 1, tokens, null);
    ReaderOptions options = OPTIONS.withBatchSize(batchSize).withBufferSize(bufferSize);
    assertThat(read(dataset, view, options)).isEqualTo(Row.of(dataset, view));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 64, 100, 1000, 1024, 2048})
  void shardsFollowOneAnotherWhateverTheBatch(int batchSize) throws IOException {
    Geometry geometry = BlockCursorTest.geometry(70, 2, 17, 4);
    ChangedDataset dataset = ChangedDataset.labelled(new InventedDataset(geometry, false, 9), 16);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.IMAGE, 13);
    List<Row> expected = Row.of(dataset, view);
    assertThat(read(dataset, view, OPTIONS.withBatchSize(batchSize))).isEqualTo(expected);
    int full = 70 * 16 / batchSize * batchSize;
    assertThat(read(dataset, view, OPTIONS.withBatchSize(batchSize).withDropLast(true)))
        .isEqualTo(expected.subList(0, full));
  }

  @Test
  void batchesLongerThanAPieceAreReadByAllThreads() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(12, 1, 5, 60_000);
    InventedDataset dataset = new InventedDataset(geometry, false, 5);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    assertThat(read(dataset, view, OPTIONS.withBatchSize(23))).isEqualTo(Row.of(dataset, view));
  }

  @Test
  void itBeginsAnewWhereverItIs() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(20, 1, 5, 3);
    InventedDataset dataset = new InventedDataset(geometry, false, 5);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, 11);
    try (OrderedReader reader = new OrderedReader(dataset, view, OPTIONS)) {
      assertThat(reader.length()).isEqualTo(100);
      assertThatThrownBy(reader::batch).isInstanceOf(IllegalStateException.class);
      for (int batches : new int[] {0, 3, 7, 2}) {
        for (int i = 0; i < batches; i++) {
          assertThat(reader.next()).isTrue();
          assertThat(reader.batch().index(0)).isEqualTo(i * 16);
        }
        if (batches == 7) {
          assertThat(reader.batch().rows()).isEqualTo(4);
          assertThat(reader.next()).isFalse();
          assertThat(reader.next()).isFalse();
        }
        reader.restart();
      }
    }
  }

  @Test
  void floatsAreScaledToANormOfDim() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(9, 2, 3, 1500);
    InventedDataset dataset = new InventedDataset(geometry, false, 4);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, null);
    double sum = 0;
    try (OrderedReader reader = new OrderedReader(dataset, view, OPTIONS.withScaleNorm(true))) {
      while (reader.next()) {
        var floats = reader.batch().floats();
        while (floats.hasRemaining()) {
          double value = floats.get();
          sum += value * value;
        }
      }
    }
    assertThat(sum / view.length()).isBetween(1500 * 0.99999, 1500 * 1.00001);
  }

  @Test
  void whatItCanNotDoIsRefused() throws IOException {
    Geometry geometry = new Geometry(1000, List.of(1), 2, 1 << 20);
    InventedDataset dataset = new InventedDataset(geometry, false, 1);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, 1);
    assertThatThrownBy(() -> new OrderedReader(dataset, view, OPTIONS.withBatchSize(512)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a batch of 512 vectors has 2147483648 bytes (expected less than 2 GiB: choose smaller"
                + " ones)");
    assertThatThrownBy(() -> new OrderedReader(dataset, view, OPTIONS.withIgnoreLabels(Set.of(3))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Row> read(ActivationDataset dataset, VectorView view, ReaderOptions options)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    try (OrderedReader reader = new OrderedReader(dataset, view, options)) {
      while (reader.next()) {
        assertThat(reader.batch().rows()).isBetween(1, options.batchSize());
        rows.addAll(Row.of(reader.batch()));
      }
      assertThat(reader.length()).isEqualTo(rows.size());
    }
    return rows;
  }
}
