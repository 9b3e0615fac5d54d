package org.saevhadoop.format.samediff.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorBatch;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SameDiffTableTest {
  private static final Geometry GEOMETRY = new Geometry(7, List.of(9, 10), 4, 2);

  @TempDir Path folder;

  @Property(tries = 150, sample = 50)
  void expectedRangesAreExactlyTheBytesThatAreRead(RandomValues any) throws IOException {
    Geometry geometry =
        new Geometry(
            any.intBetween(1, 9),
            List.of(9, 10, 3).subList(0, any.intBetween(1, 3)),
            any.intBetween(1, 4),
            any.intBetween(1, 40));
    Path at = Files.createTempDirectory(folder, "ranges");
    write(geometry, any.intBetween(1, 10), any.intBetween(0, geometry.tokens()), at);
    MemoryStorage watched = MemoryStorage.copyOf(new LocalFolder(at));
    ActivationDataset dataset = open(watched);
    assertThat(dataset.geometry()).isEqualTo(geometry);
    watched.reads().clear();

    long first = any.longBetween(0, geometry.examples() - 1);
    long count = any.longBetween(1, geometry.examples() - first);
    List<Integer> all = BlockOrder.byExample(geometry.table()).columns();
    List<Integer> columns = any.distinct(1, all.size(), column -> column, () -> any.of(all));
    for (int column : columns) {
      RecordSelection one = RecordSelection.blocks(new BlockOrder(true, List.of(column)), 1);
      for (long example = first; example < first + count; example++) {
        // one block at a time, as small gaps between blocks are read with them
        try (BlockCursor cursor = new BlockCursor(dataset, one, example, 1)) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.bytes()).isEqualTo(InventedFiles.block(geometry, example, column));
        }
      }
    }
    Map<String, BitSet> expected = new TreeMap<>();
    for (int i = 0; i < dataset.shards().size(); i++) {
      Shard shard = dataset.shards().get(i);
      long from = Math.max(first, shard.first());
      long to = Math.min(first + count, shard.first() + shard.examples());
      if (from < to) {
        BitSet bytes = expected.computeIfAbsent(watched.path(shard.name()), path -> new BitSet());
        for (ByteRange range :
            dataset.expectedRanges(i, from - shard.first(), to - from, columns)) {
          bytes.set((int) range.offset(), (int) (range.offset() + range.length()));
        }
      }
    }
    Map<String, BitSet> read = new TreeMap<>();
    for (MemoryInput.Read piece : watched.reads()) {
      read.computeIfAbsent(piece.path(), path -> new BitSet())
          .set((int) piece.position(), (int) piece.position() + piece.bytes());
    }
    assertThat(read).isEqualTo(expected);
  }

  @Property(tries = 150, sample = 50)
  void arraysThatAreStoredInAnyWayAreReadAsBlocks(RandomValues any) throws IOException {
    Path at = Files.createTempDirectory(folder, "stored");
    List<Long> sizes = any.list(1, 3, () -> any.longBetween(0, 4));
    Geometry geometry =
        new Geometry(
            sizes.stream().mapToLong(size -> size).sum(),
            List.of(5, 2, 7).subList(0, any.intBetween(1, 3)),
            any.intBetween(1, 3),
            any.intBetween(1, 5));
    ForeignContainer container = new ForeignContainer();
    for (int column = 0; column < geometry.layers().size(); column++) {
      long first = 0;
      for (int shard = 0; shard < sizes.size(); shard++) {
        Storage storage = any.of(Storage.READABLE);
        char order = storage == Storage.WITHOUT_STUB || any.bool() ? 'c' : 'f';
        String name = "layer_%d/shard_%d".formatted(geometry.layers().get(column), shard);
        add(container, name, geometry, storage, order, first, sizes.get(shard), column);
        first += sizes.get(shard);
      }
    }
    if (any.bool()) {
      container.write(at.resolve("x.sdnb"));
    } else {
      container.writeShards(at, "x", any.intBetween(1, 500));
    }
    ActivationDataset dataset = open(new LocalFolder(at));
    Geometry ascending =
        new Geometry(
            geometry.examples(),
            geometry.layers().stream().sorted().toList(),
            geometry.tokens(),
            geometry.dim());
    assertThat(dataset.geometry()).isEqualTo(ascending);
    RecordSelection selection = RecordSelection.all(ascending, RecordSelection.Unit.BLOCK);
    long blocks = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, geometry.examples())) {
      for (; cursor.next(); blocks++) {
        int column = geometry.layers().indexOf(ascending.layers().get(cursor.column()));
        assertThat(cursor.bytes())
            .isEqualTo(InventedFiles.block(geometry, cursor.example(), column));
      }
    }
    assertThat(blocks).isEqualTo(geometry.examples() * geometry.layers().size());
  }

  @Test
  void blocksThatAreGatheredHaveNoRangesOfTheirOwn() throws IOException {
    ForeignContainer container = new ForeignContainer();
    for (int shard = 0; shard < 2; shard++) {
      for (int column = 0; column < 2; column++) {
        String name = "layer_%d/shard_%d".formatted(GEOMETRY.layers().get(column), shard);
        char order = shard == 0 ? 'c' : 'f';
        add(container, name, GEOMETRY, Storage.APPENDED, order, shard * 4, 4 - shard, column);
      }
    }
    container.write(folder.resolve("x.sdnb"));
    ActivationDataset dataset = open(new LocalFolder(folder));
    assertThat(dataset.shards()).hasSize(2);
    assertThat(dataset.expectedRanges(0, 1, 2, List.of(0, 1)))
        .extracting(ByteRange::length)
        .containsExactly(2 * GEOMETRY.blockBytes(), 2 * GEOMETRY.blockBytes());
    assertThat(dataset.expectedRanges(1, 0, 3, List.of(0, 1))).isEmpty();
    assertThat(dataset.folder().path(dataset.shards().get(1).name()))
        .isEqualTo(folder.resolve("x.sdnb").toString());
  }

  @Test
  void arraysInFOrderAreReadInOnePassThoughTheirBlocksAlternate() throws IOException {
    ForeignContainer container = new ForeignContainer();
    for (int column = 0; column < 2; column++) {
      String name = "layer_" + GEOMETRY.layers().get(column);
      add(container, name, GEOMETRY, Storage.APPENDED, 'f', 0, 7, column);
    }
    container.writeShards(folder, "x", 1);
    MemoryStorage watched = MemoryStorage.copyOf(new LocalFolder(folder));
    ActivationDataset dataset = open(watched);
    watched.reads().clear();
    RecordSelection byExample = RecordSelection.all(GEOMETRY, RecordSelection.Unit.EXAMPLE);
    try (BlockCursor cursor = new BlockCursor(dataset, byExample, 0, 7)) {
      for (int example = 0; cursor.next(); example++) {
        assertThat(cursor.bytes()).isEqualTo(InventedFiles.example(GEOMETRY, example));
      }
    }
    assertThat(watched.bytesRead()).isEqualTo(7 * GEOMETRY.exampleBytes());
  }

  @Test
  void viewsReadEveryVectorOnceInAnyOrder() throws IOException {
    write(GEOMETRY, 3, 3, folder);
    ActivationDataset dataset = open(new LocalFolder(folder));
    InventedDataset invented = new InventedDataset(GEOMETRY, false, 7).withLabels(3);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.IMAGE, 10);
    ReaderOptions options = ReaderOptions.defaults().withBatchSize(5).withThreads(2);
    List<Long> read = new ArrayList<>();
    try (OrderedReader ordered = new OrderedReader(dataset, view, options);
        ShuffledReader shuffled = new ShuffledReader(dataset, view, options)) {
      while (ordered.next()) {
        read.addAll(indexes(ordered.batch(), view, invented));
      }
      assertThat(read).hasSize(7 * 3).isSorted();
      List<Long> again = new ArrayList<>();
      while (shuffled.next()) {
        again.addAll(indexes(shuffled.batch(), view, invented));
      }
      assertThat(again).containsExactlyInAnyOrderElementsOf(read);
    }
  }

  /** Returns the indexes of the rows of a batch, whose vectors and labels are checked. */
  private static List<Long> indexes(VectorBatch batch, VectorView view, InventedDataset invented) {
    List<Long> indexes = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      VectorView.Position at = view.position(batch.index(row));
      assertThat(batch.bytes().slice(row * 8, 8))
          .isEqualTo(invented.vector(at.example(), at.layerIndex(), at.token()));
      assertThat((byte) batch.label(row)).isEqualTo(invented.labels(at.example(), 1)[at.patch()]);
      indexes.add(batch.index(row));
    }
    return indexes;
  }

  @Test
  void labelsAreReadAcrossArraysInAnyOrder() throws IOException {
    write(GEOMETRY, 3, 2, folder);
    ActivationDataset dataset = open(new LocalFolder(folder));
    InventedDataset labelled = new InventedDataset(GEOMETRY, false, 7).withLabels(2);
    try (PatchLabels labels = dataset.openLabels()) {
      assertThat(labels.patches()).isEqualTo(2);
      for (int first = 6; first >= 0; first--) {
        ByteBuffer found = ByteBuffer.allocate((7 - first) * 2);
        labels.read(first, found);
        assertThat(found.array()).isEqualTo(labelled.labels(first, 7 - first));
      }
    }
  }

  @Test
  void arraysWithoutExamplesInCommonAreNoTable() throws IOException {
    byte[] two = new byte[8];
    assertNoTable(
        new ForeignContainer()
            .array("a", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2)
            .array("b", ForeignContainer.FLOAT, Storage.INLINE, 'c', new byte[12], 3));
    assertNoTable(
        new ForeignContainer()
            .array("s", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2, 1)
            .array("t", ForeignContainer.FLOAT, Storage.INLINE, 'c', new byte[4]));
    assertNoTable(
        new ForeignContainer()
            .array("a/shard_0", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2)
            .array("a/shard_2", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2));
    assertNoTable(
        new ForeignContainer()
            .array("a/shard_0", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2)
            .array("a/shard_1", ForeignContainer.DOUBLE, Storage.INLINE, 'c', two, 1));
    assertNoTable(
        new ForeignContainer()
            .array("a/shard_0", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2)
            .array("a", ForeignContainer.FLOAT, Storage.INLINE, 'c', two, 2));
    assertNoTable(new ForeignContainer().placeholder("in"));
  }

  private void assertNoTable(ForeignContainer container) throws IOException {
    Path file = container.write(folder.resolve("x.sdnb"));
    SameDiffContainer read = SameDiffContainer.read(Location.of(new LocalFolder(folder), "x.sdnb"));
    assertFails(
        DatasetError.NO_ACTIVATIONS, file, () -> SameDiffTable.of(read, SameDiffOptions.NONE));
  }

  private static void write(Geometry geometry, long perGroup, int patches, Path to)
      throws IOException {
    InventedDataset labelled =
        new InventedDataset(geometry, false, geometry.examples()).withLabels(patches);
    WrittenArrays arrays =
        new WrittenArrays(
            geometry.table(),
            perGroup,
            Provenance.NONE,
            patches == 0 ? null : LabelSource.of(labelled, geometry),
            null);
    InventedFiles.write(new SdnbWritePlan(arrays, "acts").write(SampleMetadata.NONE), to);
  }

  /** Adds the blocks of some examples as an array. */
  private static void add(
      ForeignContainer container,
      String name,
      Geometry geometry,
      Storage storage,
      char order,
      long first,
      long count,
      int column) {
    ByteBuffer values = ByteBuffer.allocate((int) (count * geometry.blockBytes()));
    for (long example = first; example < first + count; example++) {
      values.put(InventedFiles.block(geometry, example, column));
    }
    container.array(
        name,
        ForeignContainer.FLOAT,
        storage,
        order,
        values.array(),
        count,
        geometry.tokens(),
        geometry.dim());
  }

  private static ActivationDataset open(Folder folder) throws IOException {
    SameDiffContainer container = SameDiffContainer.read(Location.of(folder));
    return SameDiffTable.of(container, SameDiffOptions.NONE).requireActivations();
  }
}
