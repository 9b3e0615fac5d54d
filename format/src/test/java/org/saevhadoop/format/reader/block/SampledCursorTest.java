package org.saevhadoop.format.reader.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SampledCursorTest {
  private record Block(long example, int column, int token, ByteBuffer bytes) {}

  @Property(tries = 500)
  void aSampledReadIsTheWholeReadWithoutTheOtherExamples(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 40);
    Geometry geometry =
        BlockCursorTest.geometry(examples, any.intBetween(1, 3), any.intBetween(1, 3), 3);
    InventedDataset dataset = new InventedDataset(geometry, any.bool(), any.intBetween(1, 9));
    RecordSelection.Unit unit = any.of(RecordSelection.Unit.class);
    List<Integer> columns = new ArrayList<>(BlockOrder.byExample(geometry.table()).columns());
    Collections.shuffle(columns, any.random());
    boolean byLayer = any.bool() && unit != RecordSelection.Unit.EXAMPLE;
    ExampleSample sample = new ExampleSample(examples, any.intBetween(1, examples), any.anyLong());
    RecordSelection whole =
        new RecordSelection(
            new BlockOrder(byLayer, columns),
            any.of(1L, 2L, 5L, any.longBetween(1, 50), Long.MAX_VALUE),
            unit);
    RecordSelection sampled =
        new RecordSelection(whole.order(), whole.group(), whole.unit(), sample);
    long first = any.longBetween(0, examples);
    long count = any.longBetween(0, examples - first);
    List<Block> expected = read(dataset, whole, first, count);
    expected.removeIf(block -> !sample.contains(block.example()));
    assertThat(read(dataset, sampled, first, count)).isEqualTo(expected);
    assertThat(sampled.examplesIn(first, count))
        .isEqualTo(expected.stream().map(Block::example).distinct().count());
    assertThat(whole.examplesIn(first, count)).isEqualTo(count);
  }

  @Property(tries = 300)
  void aRunContainsNoBlockOfAnExampleThatIsLeftOut(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 40);
    Geometry geometry = BlockCursorTest.geometry(examples, any.intBetween(1, 3), 2, 3);
    InventedDataset dataset = new InventedDataset(geometry, any.bool(), any.intBetween(1, 9));
    ExampleSample sample = new ExampleSample(examples, any.intBetween(1, examples), any.anyLong());
    BlockOrder order = new BlockOrder(any.bool(), BlockOrder.byExample(geometry.table()).columns());
    RecordSelection selection =
        new RecordSelection(order, any.longBetween(1, 50), RecordSelection.Unit.BLOCK, sample);
    int columns = order.columns().size();
    int blockBytes = 2 * geometry.vectorBytes();
    long blocks = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, examples)) {
      while (cursor.nextRun()) {
        int length = cursor.bytes().remaining() / blockBytes;
        for (int i = 0; i < length; i++) {
          int ordinal = cursor.column() + i;
          long example = cursor.example() + (order.byLayer() ? i : ordinal / columns);
          int column = order.byLayer() ? cursor.column() : ordinal % columns;
          assertThat(sample.contains(example)).isTrue();
          assertThat(cursor.bytes().slice(i * blockBytes, geometry.vectorBytes()))
              .isEqualTo(dataset.vector(example, column, 0));
          blocks++;
        }
      }
    }
    assertThat(blocks).isEqualTo(sample.count() * columns);
  }

  @Test
  void examplesThatAreLeftOutAreNotRead() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(1000, 2, 4, 1024);
    InventedDataset dataset = new InventedDataset(geometry, false, 100);
    ExampleSample sample = new ExampleSample(1000, 10, 3);
    RecordSelection selection =
        new RecordSelection(
            BlockOrder.byExample(geometry.table()), 1, RecordSelection.Unit.EXAMPLE, sample);
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, 1000)) {
      while (cursor.next()) {
        assertThat(sample.contains(cursor.example())).isTrue();
      }
      assertThat(cursor.bytesRead()).isEqualTo(10 * geometry.exampleBytes());
    }
    assertThat(dataset.reads()).hasSize(10);
    assertThat(dataset.reads()).extracting(MemoryInput.Read::position).doesNotHaveDuplicates();
  }

  /** Testing each of 2^40 examples would take minutes. */
  @Test
  void aSampleOfAHugeDatasetIsFoundWithoutVisitingAllExamples() {
    long examples = 1L << 40;
    ExampleSample sample = new ExampleSample(examples, 100, 9);
    for (boolean byLayer : new boolean[] {false, true}) {
      RecordSelection selection =
          new RecordSelection(
              new BlockOrder(byLayer, List.of(1, 0)), 8, RecordSelection.Unit.BLOCK, sample);
      BlockWalk walk = new BlockWalk(selection, 0, examples);
      long rank = 0;
      while (walk.next()) {
        assertThat(walk.example()).isEqualTo(sample.example(rank / 2));
        assertThat(walk.column()).isEqualTo(rank % 2 == 0 ? 1 : 0);
        rank++;
      }
      assertThat(walk.next()).isFalse();
      assertThat(rank).isEqualTo(200);
    }
  }

  @Test
  void aSampleIsNotReadInWindows() {
    Geometry geometry = BlockCursorTest.geometry(4, 2, 1, 1);
    RecordSelection selection =
        new RecordSelection(
            BlockOrder.byColumn(geometry.table()),
            4,
            RecordSelection.Unit.BLOCK,
            new ExampleSample(4, 2, 1));
    assertThatThrownBy(
            () -> new BlockCursor(new InventedDataset(geometry, false, 4), selection, true, 0, 4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Block> read(
      TableDataset dataset, RecordSelection selection, long first, long count) throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (BlockCursor cursor = new BlockCursor(dataset, selection, first, count)) {
      while (cursor.next()) {
        ByteBuffer copy = ByteBuffer.allocate(cursor.bytes().remaining()).put(cursor.bytes());
        blocks.add(new Block(cursor.example(), cursor.column(), cursor.token(), copy.flip()));
      }
      assertThat(cursor.next()).isFalse();
    }
    return blocks;
  }
}
