package org.saevhadoop.jobs.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.shuffle.RowFormat;
import org.saevhadoop.format.shuffle.RowFormat.Files;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TaskMemoryTest {
  private static final StoragePath SOURCE = new LocalPath(Path.of("/data/acts"));
  private static final String PATH = "/data/acts";
  private static final int ROW = 4096;

  private static TaskMemory ofContainer(long mebibytes) {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.map.java.opts", "-Xmx" + mebibytes + "m");
    return TaskMemory.ofContainer(conf);
  }

  @Test
  void halfOfTheHeapOfAContainerIsUsedUpTo1GiB() {
    assertThat(ofContainer(1024).bytes()).isEqualTo(512L << 20);
    assertThat(ofContainer(4096).bytes()).isEqualTo(1L << 30);
  }

  @Test
  void threadsOfThisProcessDivideItsHeap() {
    long whole = Runtime.getRuntime().maxMemory();
    assertThat(TaskMemory.ofThread(1000).bytes()).isEqualTo(whole / 1000 / 2);
  }

  /**
   * The figures of docs/commands/shuffle.md: chunks of 1 MiB, or smaller ones of 16 times as many.
   */
  @ParameterizedTest
  @CsvSource({"256, 16", "1024, 256", "2048, 1024"})
  void chunksBecomeSmallerFrom64KiBOnlyIfThereAreManyRows(long heap, long gibibytes)
      throws IOException {
    TaskMemory memory = ofContainer(heap);
    long rows = (gibibytes << 30) / ROW;
    RowFormat large = memory.format(SOURCE, rows, ROW, Long.MAX_VALUE);
    assertThat(large.chunkRows()).isBetween(240, 256);
    RowFormat small = memory.format(SOURCE, rows * 14, ROW, Long.MAX_VALUE);
    assertThat(small.chunkRows()).isBetween(15, 20);
    for (RowFormat format : new RowFormat[] {large, small}) {
      assertThat(format.writingBytes()).isLessThanOrEqualTo(memory.bytes());
    }
  }

  @Test
  void moreRowsThanTheMemorySufficesForAreRefusedWithTheMemoryThatDoes() throws IOException {
    long rows = (8L << 40) / ROW;
    assertThat(
            ErrorAssertions.assertFails(
                DatasetError.TOO_LARGE,
                PATH,
                () -> ofContainer(1024).format(SOURCE, rows, ROW, Long.MAX_VALUE)))
        .hasMessageContaining(
            "8.0 TiB of rows, each of 4.0 KiB, cannot be shuffled with 512.0 MiB of memory per task"
                + " (expected 1.0 GiB)");
    assertThat(ofContainer(2048).format(SOURCE, rows, ROW, Long.MAX_VALUE).chunkRows())
        .isGreaterThan(15);
  }

  @Test
  void aRowThatIsLargerThanTheMemoryIsRefused() throws IOException {
    assertThat(
            ErrorAssertions.assertFails(
                DatasetError.TOO_LARGE, PATH, () -> ofContainer(4).format(SOURCE, 1, 3 << 20, 1)))
        .hasMessageContaining("(expected 3.2 MiB)");
    assertThat(ofContainer(7).format(SOURCE, 1, 3 << 20, 1).chunkRows()).isEqualTo(1);
  }

  @Test
  void rowsForWhichNoMemorySufficesAreRefused() {
    for (long[] rowsAndBytes : new long[][] {{(64L << 40) / ROW, ROW}, {1, (1L << 30) + 1}}) {
      assertThat(
              ErrorAssertions.assertFails(
                  DatasetError.TOO_LARGE,
                  PATH,
                  () ->
                      ofContainer(8192)
                          .format(SOURCE, rowsAndBytes[0], rowsAndBytes[1], Long.MAX_VALUE)))
          .hasMessageContaining("(expected fewer or smaller rows: no task uses more than 1.0 GiB)");
    }
  }

  /** A chunk has 64 KiB at least, so 16 buckets of 1 MiB fit into 1 MiB of chunks. */
  @Test
  void datasetsWhoseBucketsDoNotFitAtOnceNeedSeveralPasses() {
    TaskMemory memory = new TaskMemory(1 << 20);
    Files small = new Files(256, Long.MAX_VALUE);
    Files large = new Files(256 * 10, Long.MAX_VALUE);
    assertThat(memory.passes(List.of(large), ROW)).containsExactly(List.of(0));
    assertThat(memory.passes(List.of(large, small, small), ROW)).containsExactly(List.of(0, 1, 2));
    assertThat(memory.passes(List.of(large, large, small, large, large), ROW))
        .containsExactly(List.of(0), List.of(1, 2), List.of(3), List.of(4));
  }

  @Property
  void theDatasetsOfAPassFitIntoTheMemoryThatSufficesForEach(RandomValues random)
      throws IOException {
    long rowBytes = 1L << random.intBetween(2, 16);
    List<Files> datasets = new ArrayList<>();
    long bytes = 0;
    for (int i = random.intBetween(1, 12); i > 0; i--) {
      long rows = random.longBetween(1, 1L << random.intBetween(1, 24));
      Files files = new Files(rows, random.longBetween(1, 1L << random.intBetween(1, 24)));
      datasets.add(files);
      bytes = Math.max(bytes, TaskMemory.sufficient(rows, rowBytes, files.fileRows()));
    }
    TaskMemory memory = new TaskMemory(bytes);
    Assumptions.assumeTrue(bytes < TaskMemory.MAX_BYTES);
    List<Integer> made = new ArrayList<>();
    for (List<Integer> pass : memory.passes(datasets, rowBytes)) {
      made.addAll(pass);
      List<Files> files = pass.stream().map(datasets::get).toList();
      List<RowFormat> formats = memory.formats(SOURCE, files, rowBytes);
      assertThat(formats.stream().mapToLong(RowFormat::writingBytes).sum())
          .isLessThanOrEqualTo(bytes);
      for (int i = 0; i < files.size(); i++) {
        assertThat(formats.get(i).buckets().rows()).isEqualTo(files.get(i).rows());
        assertThat(formats.get(i).buckets().bucketRows() * rowBytes).isLessThanOrEqualTo(bytes);
      }
    }
    assertThat(made).isEqualTo(IntStream.range(0, datasets.size()).boxed().toList());
  }

  @Property
  void theMemoryThatIsExpectedSuffices(RandomValues random) {
    long rowBytes = 1L << random.intBetween(2, 20);
    long rows = random.longBetween(1, 1L << random.intBetween(1, 31));
    long fileRows = random.longBetween(1, 1L << random.intBetween(1, 31));
    long memory = TaskMemory.sufficient(rows, rowBytes, fileRows);
    if (memory < TaskMemory.MAX_BYTES) {
      assertThat(TaskMemory.suffices(memory, rows, rowBytes, fileRows)).isTrue();
      RowFormat format = RowFormat.of(rows, (int) rowBytes, fileRows, memory);
      assertThat(format.writingBytes()).isLessThanOrEqualTo(memory);
      assertThat(format.buckets().bucketRows() * rowBytes).isLessThanOrEqualTo(memory);
    }
  }
}
