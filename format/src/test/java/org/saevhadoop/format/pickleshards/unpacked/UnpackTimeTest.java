package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;

/** Time grows with the samples, and not faster. */
@Tag("late")
@Tag("sampled")
class UnpackTimeTest {
  private static final int FEW = 1000;
  private static final double MAX_RATIO = 12;
  private static final int ATTEMPTS = TestExtent.of(2, 5);

  private static final List<String> NAMES =
      TestExtent.isWhole()
          ? List.of("shard_0001.pkl", "shard_0001.pkl.gz")
          : List.of("shard_0001.pkl.gz");

  @TempDir Path folder;

  @Test
  void tenTimesTheSamplesTakeAtMostTwelveTimesAsLong() throws IOException {
    for (String name : NAMES) {
      shard("few/" + name, FEW);
      shard("many/" + name, 10 * FEW);
      long few = Long.MAX_VALUE;
      long many = Long.MAX_VALUE;
      // the processor's time of this thread, the best of several: others use the machine too
      for (int i = 0; i < ATTEMPTS || many > few * MAX_RATIO && i < 4 * ATTEMPTS; i++) {
        few = Math.min(few, processorTime("few"));
        many = Math.min(many, processorTime("many"));
      }
      assertThat((double) many / few).as(name).isLessThan(MAX_RATIO);
      Files.delete(folder.resolve("few").resolve(name));
      Files.delete(folder.resolve("many").resolve(name));
    }
  }

  private void shard(String path, int samples) throws IOException {
    Stream<Array> arrays =
        IntStream.of(3, 8)
            .boxed()
            .flatMap(
                layer ->
                    IntStream.range(0, samples).mapToObj(id -> Array.floats(layer, id, 4, 64)));
    MadeShards.write(folder.resolve(path), arrays.toArray(Array[]::new));
  }

  private long processorTime(String name) throws IOException {
    LocalFolder target = InventedFiles.empty(folder.resolve("target"));
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    UnpackedDataset dataset =
        MadeShards.unpack(folder.resolve(name), target, folder, UnpackOptions.STRICT);
    RecordSelection all =
        new RecordSelection(dataset.storageOrder(), Long.MAX_VALUE, RecordSelection.Unit.BLOCK);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        assertThat(cursor.bytes().remaining()).isEqualTo(4 * 64 * Float.BYTES);
      }
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
  }
}
