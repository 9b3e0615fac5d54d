package org.saevhadoop.format.reader.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
public class BlockCursorTest {
  /** A record as it must come: its coordinates and its bytes. */
  private record Expected(long example, int column, int token, ByteBuffer bytes) {}

  @Property(tries = 400, sample = 150)
  void everySelectionInEveryOrderComesOutVectorByVector(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 9);
    int layerCount = any.intBetween(1, 4);
    int tokens = any.intBetween(1, 6);
    int perShard = any.intBetween(1, 4);
    boolean storedByLayer = any.bool();
    boolean readByLayer = any.bool();
    RecordSelection.Unit unit = any.of(RecordSelection.Unit.class);
    Random random = any.random();
    boolean byLayer = readByLayer && unit != RecordSelection.Unit.EXAMPLE;
    Geometry geometry = geometry(examples, layerCount, tokens, 3);
    InventedDataset dataset = new InventedDataset(geometry, storedByLayer, perShard);
    int first = random.nextInt(examples);
    int count = random.nextInt(examples - first + 1);
    List<Integer> chosen = chosenTokens(tokens, random);
    RecordSelection selection =
        new RecordSelection(
            new BlockOrder(byLayer, someLayers(layerCount, random)), 1 + random.nextInt(5), unit);
    List<Expected> found = new ArrayList<>();
    TableDataset part = tokens(dataset, chosen);
    try (BlockCursor cursor = new BlockCursor(part, selection, first, count)) {
      while (cursor.next()) {
        ByteBuffer copy = ByteBuffer.allocate(cursor.bytes().remaining()).put(cursor.bytes());
        found.add(new Expected(cursor.example(), cursor.column(), cursor.token(), copy.flip()));
      }
      assertThat(cursor.next()).isFalse();
    }
    assertThat(found).isEqualTo(expected(dataset, chosen, selection, first, count));
  }

  @Property(tries = 300, sample = 100)
  void runsHoldTheSameBlocksAndWindowsOnlyChangeTheirOrder(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 40);
    Random random = any.random();
    boolean windows = any.bool();
    int dim = any.of(List.of(3, 1 << 10, 1 << 14));
    Geometry geometry = geometry(examples, any.intBetween(1, 4), 4, dim);
    InventedDataset dataset = new InventedDataset(geometry, any.bool(), any.intBetween(1, 9));
    List<Integer> chosen = chosenTokens(4, random);
    BlockOrder order = new BlockOrder(any.bool(), someLayers(geometry.layers().size(), random));
    RecordSelection selection = RecordSelection.blocks(order, any.intBetween(1, 50));
    int first = random.nextInt(examples);
    List<Expected> found = new ArrayList<>();
    TableDataset part = tokens(dataset, chosen);
    int bytes = chosen.size() * geometry.vectorBytes();
    try (BlockCursor cursor = new BlockCursor(part, selection, windows, first, examples - first)) {
      while (cursor.nextRun()) {
        ByteBuffer run = cursor.bytes();
        assertThat(run.remaining()).isLessThanOrEqualTo(Math.max(bytes, 1 << 20));
        long example = cursor.example();
        int rank = order.columns().indexOf(cursor.column());
        for (int at = 0; at < run.limit(); at += bytes) {
          assertThat(example / selection.group()).isEqualTo(cursor.example() / selection.group());
          ByteBuffer copy = ByteBuffer.allocate(bytes).put(run.slice(at, bytes)).flip();
          found.add(new Expected(example, order.columns().get(rank), 0, copy));
          boolean nextExample = order.byLayer() || ++rank == order.columns().size();
          example += nextExample ? 1 : 0;
          rank = nextExample && !order.byLayer() ? 0 : rank;
        }
      }
    }
    List<Expected> expected = expected(dataset, chosen, selection, first, examples - first);
    if (windows) {
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(found.stream().map(block -> block.example() / selection.group())).isSorted();
    } else {
      assertThat(found).isEqualTo(expected);
    }
  }

  @Test
  void aWindowOfShortBlocksIsReadOnceAndReturnedAsARunOfEachLayer() throws IOException {
    Geometry geometry = geometry(100, 4, 3, 256);
    InventedDataset dataset = new InventedDataset(geometry, false, 100);
    RecordSelection byLayer = RecordSelection.blocks(BlockOrder.byColumn(geometry.table()), 100);
    int runs = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, byLayer, true, 0, 100)) {
      while (cursor.nextRun()) {
        runs++;
      }
      assertThat(cursor.bytesRead()).isEqualTo(100 * geometry.exampleBytes());
    }
    assertThat(runs).isEqualTo(2 * 4);
  }

  @Test
  void aWindowIsReadInTheOrderOfTheFileWhateverTheOrderOfTheLayers() throws IOException {
    Geometry geometry = geometry(80, 4, 3, 256);
    InventedDataset dataset = new InventedDataset(geometry, false, 80);
    RecordSelection shuffled =
        RecordSelection.blocks(new BlockOrder(true, List.of(2, 0, 3, 1)), 80);
    try (BlockCursor cursor = new BlockCursor(dataset, shuffled, true, 0, 80)) {
      assertThat(cursor.nextRun()).isTrue();
    }
    // reads of 128 KiB at most, each of whole blocks
    assertThat(dataset.reads()).hasSize(8);
    assertThat(dataset.reads()).extracting(MemoryInput.Read::position).isSorted();
  }

  @Test
  void blocksThatFollowOneAnotherAreReadTogether() throws IOException {
    Geometry geometry = geometry(6, 2, 2, 8);
    InventedDataset dataset = new InventedDataset(geometry, false, 6);
    try (BlockCursor cursor =
        new BlockCursor(dataset, RecordSelection.all(geometry, RecordSelection.Unit.BLOCK), 0, 6)) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.bytesRead()).isEqualTo(6 * geometry.exampleBytes());
    }
  }

  @Test
  void whatIsNotAskedForIsNotRead() throws IOException {
    Geometry geometry = geometry(6, 3, 4, 1024);
    InventedDataset dataset = new InventedDataset(geometry, false, 4);
    RecordSelection selection =
        new RecordSelection(new BlockOrder(false, List.of(1)), 1, RecordSelection.Unit.VECTOR);
    try (BlockCursor cursor = new BlockCursor(tokens(dataset, List.of(0)), selection, 0, 6)) {
      while (cursor.next()) {
        assertThat(cursor.token()).isZero();
      }
      assertThat(cursor.bytesRead()).isEqualTo(6L * geometry.vectorBytes());
    }
  }

  @Test
  void gapsThatCostLessThanAnotherReadAreReadThrough() throws IOException {
    Geometry geometry = geometry(6, 3, 4, 8);
    InventedDataset dataset = new InventedDataset(geometry, false, 4);
    RecordSelection selection =
        new RecordSelection(new BlockOrder(false, List.of(1)), 1, RecordSelection.Unit.VECTOR);
    try (BlockCursor cursor = new BlockCursor(tokens(dataset, List.of(0)), selection, 0, 6)) {
      assertThat(cursor.next()).isTrue();
      // from the first vector to the last one of each of two files
      long between = 3 * geometry.exampleBytes() + geometry.exampleBytes();
      assertThat(cursor.bytesRead()).isEqualTo(between + 2L * geometry.vectorBytes());
    }
  }

  @Test
  void manyShardsAreReadThoughFewStayOpen() throws IOException {
    Geometry geometry = geometry(200, 2, 1, 1);
    InventedDataset dataset = new InventedDataset(geometry, false, 1);
    BlockOrder byLayer = new BlockOrder(true, List.of(1, 0));
    int records = 0;
    try (BlockCursor cursor =
        new BlockCursor(dataset, RecordSelection.blocks(byLayer, 200), 0, 200)) {
      while (cursor.next()) {
        assertThat(cursor.bytes()).isEqualTo(dataset.vector(cursor.example(), cursor.column(), 0));
        records++;
      }
    }
    assertThat(records).isEqualTo(400);
  }

  @Test
  void anExampleThatIsNotThereIsAnErrorThatReportsWhichAre() throws IOException {
    Geometry geometry = geometry(6, 1, 1, 1);
    RecordSelection all = RecordSelection.all(geometry, RecordSelection.Unit.BLOCK);
    try (BlockCursor cursor = new BlockCursor(new InventedDataset(geometry, false, 4), all, 6, 1)) {
      assertFails(DatasetError.NO_SUCH_EXAMPLE, "invented", cursor::next);
    }
  }

  @Test
  void aRecordThatNoBufferHoldsIsRefusedBeforeItIsAllocated() {
    Geometry geometry = geometry(1, 1, 1 << 20, 1 << 10);
    assertFails(
        DatasetError.TOO_LARGE,
        "invented",
        () ->
            new BlockCursor(
                new InventedDataset(geometry, false, 1),
                RecordSelection.all(geometry, RecordSelection.Unit.BLOCK),
                0,
                1));
  }

  public static Geometry geometry(long examples, int layerCount, int tokens, int dim) {
    List<Integer> layers = new ArrayList<>();
    for (int i = 0; i < layerCount; i++) {
      layers.add(11 + i * 2);
    }
    return new Geometry(examples, layers, tokens, dim);
  }

  /** Tokens that ascend, mostly with gaps between them. */
  private static List<Integer> chosenTokens(int tokens, Random random) {
    List<Integer> chosen = new ArrayList<>();
    for (int token = 0; token < tokens; token++) {
      if (random.nextBoolean()) {
        chosen.add(token);
      }
    }
    return chosen.isEmpty() ? List.of(random.nextInt(tokens)) : chosen;
  }

  private static TableDataset tokens(InventedDataset dataset, List<Integer> tokens)
      throws FormatException {
    Projection everything = Projection.everything(dataset);
    List<IndexRange> ranges =
        tokens.stream().map(token -> new IndexRange(token, token + 1)).toList();
    return new Projection(everything.columns(), everything.examples(), ranges).of(dataset);
  }

  private static List<Integer> someLayers(int layerCount, Random random) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < layerCount; i++) {
      indexes.add(i);
    }
    Collections.shuffle(indexes, random);
    return indexes.subList(0, 1 + random.nextInt(layerCount));
  }

  private static List<Expected> expected(
      InventedDataset dataset,
      List<Integer> tokens,
      RecordSelection selection,
      long first,
      long count) {
    List<Expected> all = new ArrayList<>();
    List<Integer> layers = selection.order().columns();
    if (selection.order().byLayer()) {
      for (long start = first; start < first + count; ) {
        long end = Math.min(first + count, (start / selection.group() + 1) * selection.group());
        for (int layer : layers) {
          for (long e = start; e < end; e++) {
            addBlock(dataset, tokens, selection.unit(), e, layer, all);
          }
        }
        start = end;
      }
    } else {
      for (long e = first; e < first + count; e++) {
        for (int layer : layers) {
          addBlock(dataset, tokens, selection.unit(), e, layer, all);
        }
      }
    }
    return selection.unit() == RecordSelection.Unit.EXAMPLE ? joined(all, layers.size()) : all;
  }

  private static void addBlock(
      InventedDataset dataset,
      List<Integer> tokens,
      RecordSelection.Unit unit,
      long e,
      int layer,
      List<Expected> all) {
    ByteBuffer block = ByteBuffer.allocate(dataset.geometry().vectorBytes() * tokens.size());
    for (int i = 0; i < tokens.size(); i++) {
      ByteBuffer vector = dataset.vector(e, layer, tokens.get(i));
      if (unit == RecordSelection.Unit.VECTOR) {
        all.add(new Expected(e, layer, i, vector));
      } else {
        block.put(vector);
      }
    }
    if (unit != RecordSelection.Unit.VECTOR) {
      all.add(new Expected(e, layer, 0, block.flip()));
    }
  }

  private static List<Expected> joined(List<Expected> blocks, int layers) {
    List<Expected> examples = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i += layers) {
      ByteBuffer example = ByteBuffer.allocate(blocks.get(i).bytes().remaining() * layers);
      blocks.subList(i, i + layers).forEach(block -> example.put(block.bytes()));
      Expected head = blocks.get(i);
      examples.add(new Expected(head.example(), head.column(), head.token(), example.flip()));
    }
    return examples;
  }
}
