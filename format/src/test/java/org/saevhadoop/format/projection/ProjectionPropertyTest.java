package org.saevhadoop.format.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.reader.vector.IndexedReader;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorBatch;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Parts of invented datasets, and parts of parts, against plain lists of what was selected. */
@Tag("sampled")
class ProjectionPropertyTest {
  private static final int TOKENS = 7;

  /**
   * A part of a dataset.
   *
   * @param part what was selected of the invented dataset
   * @param dataset the projection; of a projection, if it is nested
   */
  private record Case(InventedDataset invented, Part part, ActivationDataset dataset) {
    ByteBuffer vector(long example, int column, int token) {
      return invented.vector(
          part.examples().get((int) example), part.columns().get(column), part.tokens().get(token));
    }

    boolean hasPatch(int token) {
      return part.tokens().get(token) > 0;
    }
  }

  private static Case someCase(RandomValues any, Random random) throws IOException {
    int examples = any.intBetween(1, 20);
    int perShard = any.intBetween(1, 6);
    boolean nested = any.bool();
    int layers = 1 + random.nextInt(4);
    Geometry geometry =
        new Geometry(
            examples, List.of(-2, 10, 12, 13).subList(0, layers), TOKENS, 1 + random.nextInt(3));
    InventedDataset invented =
        new InventedDataset(geometry, random.nextBoolean(), perShard)
            .withClsTokens(1)
            .withLabels(TOKENS - 1)
            .with(new Names(examples), sampleMetadata(examples));
    Part.Selected selected = Part.select(invented, nested, random);
    return new Case(invented, selected.part(), selected.dataset());
  }

  /** Ids that are no numbers. */
  private record Names(int count) implements ExampleIds {
    @Override
    public List<String> ids(long first, long some) {
      assertThat(first + some).isLessThanOrEqualTo(count);
      return LongStream.range(first, first + some).mapToObj(example -> "name" + example).toList();
    }

    @Override
    public int maxBytes() {
      return 10;
    }

    @Override
    public boolean areNumbers() {
      return false;
    }
  }

  /** Every third example has none, pairs of others are tokens of one sample. */
  private static SampleMetadata sampleMetadata(int examples) {
    return new ListedMetadata(
        IntStream.range(0, examples - 1)
            .filter(example -> example % 3 == 0)
            .mapToObj(example -> new ExampleMetadata(example, 2, 4, "sample" + example))
            .toList());
  }

  @Property(tries = 300)
  void itsShapeAndItsNumbersAreThoseOfWhatWasSelected(RandomValues any) throws IOException {
    Random random = any.random();
    Case some = someCase(any, random);
    Geometry geometry = some.dataset.geometry();
    Part part = some.part;
    assertThat(geometry.examples()).isEqualTo(part.examples().size());
    assertThat(geometry.tokens()).isEqualTo(part.tokens().size());
    assertThat(geometry.layers())
        .isEqualTo(part.columns().stream().map(some.invented.geometry().layers()::get).toList());
    assertThat(some.dataset.table()).isEqualTo(geometry.table());
    assertThat(some.dataset.activations().clsTokens())
        .isEqualTo(OptionalInt.of(some.hasPatch(0) ? 0 : 1));
    long next = 0;
    for (Shard shard : some.dataset.shards()) {
      assertThat(shard.first()).isEqualTo(next);
      assertThat(shard.examples()).isPositive();
      next += shard.examples();
    }
    assertThat(next).isEqualTo(geometry.examples());
    for (int i = 0; i < geometry.examples(); i++) {
      assertThat(some.dataset.sourceExample(i)).isEqualTo(part.examples().get(i).longValue());
    }
    for (int i = 0; i < geometry.tokens(); i++) {
      assertThat(some.dataset.sourceToken(i)).isEqualTo(part.tokens().get(i));
    }
    if (some.dataset instanceof ProjectedActivations) { // not where all is selected
      assertThatThrownBy(() -> some.dataset.sourceExample(geometry.examples()))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> some.dataset.sourceToken(geometry.tokens()))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(some.dataset.storageOrder().columns())
        .containsExactlyInAnyOrderElementsOf(BlockOrder.byExample(geometry.table()).columns())
        .isSortedAccordingTo(Comparator.comparing(part.columns()::get));
  }

  @Property(tries = 300)
  void cursorsReadWhatWasSelectedInAnyOrder(RandomValues any) throws IOException {
    boolean byLayer = any.bool();
    RecordSelection.Unit unit = any.of(RecordSelection.Unit.class);
    Random random = any.random();
    Case some = someCase(any, random);
    Geometry geometry = some.dataset.geometry();
    BlockOrder order = BlockOrder.byExample(geometry.table());
    boolean layers = byLayer && unit != RecordSelection.Unit.EXAMPLE;
    RecordSelection selection =
        new RecordSelection(new BlockOrder(layers, order.columns()), 1 + random.nextInt(4), unit);
    long vectors = 0;
    try (BlockCursor cursor = new BlockCursor(some.dataset, selection, 0, geometry.examples())) {
      while (cursor.next()) {
        ByteBuffer bytes = cursor.bytes();
        int column = cursor.column();
        int token = cursor.token();
        while (bytes.hasRemaining()) {
          assertThat(bytes.slice(bytes.position(), geometry.vectorBytes()))
              .isEqualTo(some.vector(cursor.example(), column, token));
          bytes.position(bytes.position() + geometry.vectorBytes());
          vectors++;
          token = (token + 1) % geometry.tokens();
          column += token == 0 ? 1 : 0;
        }
      }
    }
    assertThat(vectors)
        .isEqualTo(geometry.examples() * geometry.layers().size() * geometry.tokens());
  }

  @Property(tries = 100, sample = 40)
  void trainingReadersReadWhatWasSelectedAndItsLabels(RandomValues any) throws IOException {
    Random random = any.random();
    Case some = someCase(any, random);
    int cls = some.dataset.activations().clsTokens().orElseThrow();
    VectorView view = VectorView.of(some.dataset, cls, TokenChoice.ALL, null);
    ReaderOptions options =
        ReaderOptions.defaults().withBatchSize(16).withBufferSize(8).withThreads(2);
    try (OrderedReader ordered = new OrderedReader(some.dataset, view, options)) {
      int rows = 0;
      while (ordered.next()) {
        rows += check(some, view, ordered.batch());
      }
      assertThat(rows).isEqualTo((int) view.length());
    }
    try (ShuffledReader shuffled = new ShuffledReader(some.dataset, view, options)) {
      int rows = 0;
      while (shuffled.next()) {
        rows += check(some, view, shuffled.batch());
      }
      assertThat(rows).isEqualTo((int) view.length());
    }
    try (IndexedReader indexed = new IndexedReader(some.dataset, view)) {
      for (long index = 0; index < view.length(); index++) {
        VectorView.Position at = view.position(index);
        ByteBuffer bytes = ByteBuffer.allocate(some.dataset.geometry().vectorBytes());
        indexed.read(index, bytes);
        assertThat(bytes.flip()).isEqualTo(some.vector(at.example(), at.layerIndex(), at.token()));
        assertThat(indexed.label(index)).isEqualTo(label(some, at));
        assertThat(indexed.location(index).example())
            .isEqualTo(some.part.examples().get((int) at.example()).longValue());
        assertThat(indexed.location(index).token())
            .isEqualTo(some.part.tokens().get(at.token()).intValue());
      }
    }
  }

  private static int check(Case some, VectorView view, VectorBatch batch) {
    int vector = some.dataset.geometry().vectorBytes();
    for (int row = 0; row < batch.rows(); row++) {
      VectorView.Position at = view.position(batch.index(row));
      assertThat(batch.bytes().slice(row * vector, vector))
          .isEqualTo(some.vector(at.example(), at.layerIndex(), at.token()));
      assertThat(batch.label(row)).isEqualTo(label(some, at));
    }
    return batch.rows();
  }

  private static int label(Case some, VectorView.Position at) {
    int token = some.part.tokens().get(at.token());
    int example = some.part.examples().get((int) at.example());
    return token == 0 ? VectorBatch.NO_LABEL : some.invented.labels(example, 1)[token - 1] & 0xff;
  }

  @Property(tries = 200)
  void labelsAreCutByExampleAndByPatch(RandomValues any) throws IOException {
    Random random = any.random();
    Case some = someCase(any, random);
    List<Integer> patches =
        some.part.tokens().stream().filter(token -> token > 0).map(token -> token - 1).toList();
    assertThat(some.dataset.hasLabels()).isEqualTo(!patches.isEmpty());
    if (patches.isEmpty()) {
      assertThatThrownBy(some.dataset::openLabels).isInstanceOf(IllegalStateException.class);
      return;
    }
    int count = some.part.examples().size();
    int first = random.nextInt(count);
    int read = random.nextInt(count - first + 1);
    ByteBuffer expected = ByteBuffer.allocate(read * patches.size());
    for (int example : some.part.examples().subList(first, first + read)) {
      byte[] stored = some.invented.labels(example, 1);
      patches.forEach(patch -> expected.put(stored[patch]));
    }
    ByteBuffer found = ByteBuffer.allocateDirect(read * patches.size());
    try (PatchLabels labels = some.dataset.openLabels()) {
      assertThat(labels.patches()).isEqualTo(patches.size());
      labels.read(first, found);
      assertThat(found.flip()).isEqualTo(expected.flip());
      if (labels instanceof ProjectedLabels) { // not where all is selected
        assertThatThrownBy(() -> labels.read(count, ByteBuffer.allocate(patches.size())))
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessage(count + " + 1");
      }
    }
    assertThat(some.invented.labelsOpen()).isZero();
  }

  @Property(tries = 300)
  void idsAndSampleMetadataAreThoseOfTheExamples(RandomValues any) throws IOException {
    Random random = any.random();
    Case some = someCase(any, random);
    int count = some.part.examples().size();
    int first = random.nextInt(count);
    int read = random.nextInt(count - first + 1);
    List<Integer> chosen = some.part.examples().subList(first, first + read);
    assertThat(some.dataset.ids().orElseThrow().ids(first, read))
        .isEqualTo(chosen.stream().map(example -> "name" + example).toList());
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < read; i++) {
      int example = chosen.get(i);
      int sample = example / 3 * 3;
      if (example - sample < 2 && sample + 1 < some.invented.geometry().examples()) {
        expected.add("%d %d sample%d".formatted(first + i, 4 + example - sample, sample));
      }
    }
    List<String> found = new ArrayList<>();
    try (SampleMetadataCursor cursor =
        some.dataset.sampleMetadata().orElseThrow().cursor(first, read)) {
      for (ExampleMetadata next = cursor.next(); next != null; next = cursor.next()) {
        for (long i = 0; i < next.count(); i++) {
          found.add("%d %d %s".formatted(next.first() + i, next.position() + i, next.sample()));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  @Property(tries = 100)
  void ofBlocksOfAPageAndMoreNothingElseIsRead(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 12);
    int perShard = any.intBetween(1, 4);
    boolean byLayer = any.bool();
    Random random = any.random();
    Geometry geometry = new Geometry(examples, List.of(3, 5, 8), 4, 1024 + random.nextInt(600));
    InventedDataset invented = new InventedDataset(geometry, random.nextBoolean(), perShard);
    ActivationDataset dataset =
        Part.of(geometry, random).projection().of(invented).requireActivations();
    BlockOrder order = new BlockOrder(byLayer, BlockOrder.byExample(dataset.table()).columns());
    RecordSelection selection = RecordSelection.blocks(order, 1 + random.nextInt(5));
    long count = dataset.geometry().examples();
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, count)) {
      while (cursor.next()) {
        assertThat(cursor.bytes().remaining()).isEqualTo((int) dataset.geometry().blockBytes());
      }
      long selected = count * selection.exampleBytes(dataset.table());
      assertThat(cursor.bytesRead()).isBetween(selected, selected * 11 / 10);
    }
  }

  @Test
  void labelsOfADatasetThatDoesNotRecordWhichTokenIsClsAreThoseOfTheLastTokens()
      throws IOException {
    Geometry geometry = new Geometry(2, List.of(1), 4, 1);
    Projection last =
        new Projection(List.of(0), List.of(new IndexRange(1, 2)), List.of(new IndexRange(3, 4)));
    Projection zero =
        new Projection(List.of(0), List.of(new IndexRange(1, 2)), List.of(new IndexRange(0, 1)));
    for (int patches : new int[] {3, 4}) {
      InventedDataset invented = new InventedDataset(geometry, false, 2).withLabels(patches);
      ActivationDataset part = last.of(invented).requireActivations();
      ByteBuffer label = ByteBuffer.allocate(1);
      try (PatchLabels labels = part.openLabels()) {
        assertThat(labels.patches()).isEqualTo(1);
        labels.read(0, label);
      }
      assertThat(label.get(0)).isEqualTo(invented.labels(1, 1)[patches - 1]);
      assertThat(zero.of(invented).requireActivations().hasLabels()).isFalse();
    }
  }
}
