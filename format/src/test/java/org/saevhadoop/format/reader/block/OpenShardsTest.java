package org.saevhadoop.format.reader.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FaultyInput;
import org.saevhadoop.format.projection.Projection;

class OpenShardsTest {
  private static final int FILES = 3;

  private final InventedDataset stored =
      new InventedDataset(new Geometry(6000, List.of(3, 7), 1, 2), false, 2000);
  private final ChangedDataset dataset = ChangedDataset.reading(stored, UnaryOperator.identity());

  /** Reads single examples, and checks that each is the one selected. */
  private void read(List<Long> examples) throws IOException {
    TableDataset part =
        new Projection(
                List.of(0, 1),
                examples.stream().map(n -> new IndexRange(n, n + 1)).toList(),
                List.of(new IndexRange(0, 1)))
            .of(dataset);
    RecordSelection selection = RecordSelection.blocks(part.storageOrder(), Long.MAX_VALUE);
    try (BlockCursor cursor = new BlockCursor(part, selection, 0, examples.size())) {
      for (Long example : examples) {
        for (int column = 0; column < 2; column++) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.bytes()).isEqualTo(stored.vector(example, column, 0));
        }
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  private static List<Long> everySecond() {
    return LongStream.range(0, 3000)
        .mapToObj(i -> 2 * i)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @Test
  void thousandsOfSingleExamplesOpenEachFileOnce() throws IOException {
    read(everySecond());
    assertThat(dataset.opened()).hasValue(FILES);
  }

  @Test
  void singleExamplesInAnyOrderOpenEachFileOnceToo() throws IOException {
    List<Long> examples = everySecond();
    Collections.shuffle(examples, new Random(1));
    read(examples);
    assertThat(dataset.opened()).hasValue(FILES);
  }

  @Test
  void layersOfScatteredExamplesOpenEachOfManyFilesOnceInWindows() throws IOException {
    ChangedDataset many =
        ChangedDataset.reading(
            new InventedDataset(new Geometry(20_000, List.of(3, 7), 1, 2), false, 200),
            UnaryOperator.identity());
    TableDataset part =
        new Projection(
                List.of(0, 1),
                LongStream.range(0, 10_000)
                    .mapToObj(i -> new IndexRange(2 * i, 2 * i + 1))
                    .toList(),
                List.of(new IndexRange(0, 1)))
            .of(many);
    RecordSelection byLayer =
        RecordSelection.blocks(BlockOrder.byColumn(part.table()), Long.MAX_VALUE);
    long blocks = 0;
    try (BlockCursor cursor = new BlockCursor(part, byLayer, true, 0, 10_000)) {
      while (cursor.nextRun()) {
        blocks += cursor.bytes().remaining() / part.table().blockBytes(0);
      }
    }
    assertThat(blocks).isEqualTo(20_000);
    assertThat(many.opened()).hasValue(100);
  }

  @Test
  void noMoreFilesAreOpenThanAllowedAndAllAreClosedInTheEnd() throws IOException {
    AtomicInteger files = new AtomicInteger();
    ChangedDataset many =
        ChangedDataset.reading(
            new InventedDataset(new Geometry(10, List.of(3), 1, 2), false, 1),
            file -> {
              files.incrementAndGet();
              return new FaultyInput(file, position -> {}, files::decrementAndGet);
            });
    try (OpenShards open = new OpenShards(many, 2)) {
      for (long example = 0; example < 10; example++) {
        open.seek(example);
        assertThat(files).hasValue((int) Math.min(2, example + 1));
      }
      open.seek(8);
      assertThat(many.opened()).hasValue(10);
      open.seek(0);
      assertThat(many.opened()).hasValue(11);
    }
    assertThat(files).hasValue(0);
  }
}
