package org.saevhadoop.format.dataset.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.dataset.write.ShardWriterTest.Target;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;

class DatasetWriterTest {
  private static final int ALL = TableShape.ALL_COLUMNS;

  @TempDir Path folder;

  private final Geometry geometry = new Geometry(5, List.of(11, 13), 1, 1);
  private final Target byLayer = new Target(geometry, new BlockOrder(true, List.of(0, 1)), 3);
  private final Target byExample = new Target(geometry, BlockOrder.byExample(geometry.table()), 3);
  private final List<String> calls = new ArrayList<>();

  /** Notes its calls, and accepts runs only if it is asked to. */
  private final class NotingSinks implements ShardSinks {
    private final boolean acceptsRuns;

    NotingSinks(boolean acceptsRuns) {
      this.acceptsRuns = acceptsRuns;
    }

    @Override
    public BlockSink open(long index, boolean anyOrder, Folder in, Path localFolder) {
      calls.add("open " + index + (anyOrder ? " any order" : ""));
      return new BlockSink() {
        @Override
        public void write(long example, int column, ByteBuffer block) {
          calls.add("%d.%d=%s".formatted(example, column, values(block)));
        }

        @Override
        public boolean writeRun(long example, int column, ByteBuffer blocks) {
          if (acceptsRuns) {
            calls.add("run %d.%d=%s".formatted(example, column, values(blocks)));
          }
          return acceptsRuns;
        }

        @Override
        public void close() {
          calls.add("close " + index);
        }
      };
    }

    @Override
    public void close() {
      calls.add("end");
    }
  }

  private DatasetWriter noting(Target plan, Spool spool, boolean acceptsRuns) {
    return writer(plan, new NotingSinks(acceptsRuns), spool, true);
  }

  private DatasetWriter writer(Target plan, ShardSinks sinks, Spool spool, boolean runs) {
    return new DatasetWriter(
        () -> calls.add("create"),
        new LocalFolder(folder),
        new DatasetWrite(plan, sinks, written -> List.of()),
        spool,
        runs,
        folder);
  }

  private DatasetWriter real(Target plan, Spool spool) {
    return writer(plan, new PlainShardSinks(plan, SampleMetadata.NONE), spool, true);
  }

  @Test
  void blocksOfAnExampleGoToTheFileOfTheExample() throws IOException {
    try (DatasetWriter writer = noting(byExample, Spool.AUTO, false)) {
      assertThat(calls).isEmpty();
      writer.write(2, 11, DType.F32, values(20));
      writer.write(2, ALL, DType.F32, values(21, 22));
      writer.write(3, 13, DType.F32, values(31));
    }
    assertThat(calls)
        .containsExactly(
            "create",
            "open 0",
            "2.0=[20]",
            "2.0=[21]",
            "2.1=[22]",
            "close 0",
            "open 1",
            "3.1=[31]",
            "close 1",
            "end");
  }

  @Test
  void anExampleMayBeginAnywhereInItsBuffer() throws IOException {
    try (DatasetWriter writer = noting(byExample, Spool.AUTO, false)) {
      writer.write(0, ALL, DType.F32, values(9, 1, 2).position(Integer.BYTES));
    }
    assertThat(calls).contains("0.0=[1]", "0.1=[2]");
  }

  @Test
  void aRunThatASinkDoesNotAcceptIsWrittenBlockByBlockInTheOrderOfThePlan() throws IOException {
    try (DatasetWriter writer = noting(byLayer, Spool.FALSE, false)) {
      writer.write(4, 11, DType.F32, values(1, 2, 3));
    }
    assertThat(calls)
        .containsExactly("create", "open 1", "4.0=[1]", "3.1=[2]", "4.1=[3]", "close 1", "end");
    calls.clear();
    try (DatasetWriter writer = noting(byLayer, Spool.FALSE, true)) {
      writer.write(4, 11, DType.F32, values(1, 2, 3));
    }
    assertThat(calls).containsExactly("create", "open 1", "run 4.0=[1, 2, 3]", "close 1", "end");
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, true, true, true",
    "AUTO, true, false, false",
    "AUTO, false, true, false",
    "TRUE, false, false, true",
    "FALSE, true, true, false"
  })
  void aSpoolIsUsedIfWholeExamplesFillAFileOfLayersUnlessItIsForcedOrForbidden(
      Spool spool, boolean layers, boolean whole, boolean anyOrder) throws IOException {
    try (DatasetWriter writer = noting(layers ? byLayer : byExample, spool, false)) {
      writer.write(0, whole ? ALL : 11, DType.F32, whole ? values(1, 2) : values(1));
    }
    assertThat(calls).contains(anyOrder ? "open 0 any order" : "open 0");
  }

  @Test
  void aWriterWithoutBlocksCreatesNothing() throws IOException {
    noting(byExample, Spool.AUTO, false).close();
    assertThat(calls).containsExactly("end");
  }

  @Test
  void examplesBlocksAndRunsMakeTheSameFiles() throws IOException {
    try (DatasetWriter writer = real(byExample, Spool.AUTO)) {
      writer.write(0, ALL, DType.F32, values(1, 2));
      writer.write(1, 11, DType.F32, values(3));
      writer.write(1, 13, DType.F32, values(4, 5, 6));
    }
    try (DatasetWriter writer = real(byLayer, Spool.AUTO)) {
      writer.write(3, ALL, DType.F32, values(7, 8));
      writer.write(4, ALL, DType.F32, values(9, 10));
    }
    assertThat(ints("shard0")).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(ints("shard1")).containsExactly(7, 9, 8, 10);
  }

  /** The values of a file, between its header and its tail. */
  private List<Integer> ints(String name) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(name));
    return values(ByteBuffer.wrap(bytes, 3, bytes.length - 8));
  }

  @Test
  void reopeningAFinishedFileIsRefused() throws IOException {
    DatasetWriter writer = noting(byExample, Spool.AUTO, false);
    writer.write(0, ALL, DType.F32, values(1, 2));
    writer.write(3, ALL, DType.F32, values(3, 4));
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER,
        "shard0",
        () -> writer.write(1, ALL, DType.F32, values(5, 6)));
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER, "shard0", () -> writer.write(1, 13, DType.F32, values(5)));
  }

  @Test
  void leavingAFileBeforeItIsCompleteIsAnError() throws IOException {
    DatasetWriter writer = real(byExample, Spool.AUTO);
    writer.write(0, ALL, DType.F32, values(1, 2));
    assertFails(
        DatasetError.INCOMPLETE, "shard0", () -> writer.write(3, ALL, DType.F32, values(3, 4)));
  }

  @Test
  void examplesAndLayersThatAreNotOfTheDatasetAreRefused() {
    DatasetWriter writer = noting(byExample, Spool.AUTO, false);
    for (long example : new long[] {-1, 5, Long.MAX_VALUE}) {
      assertFails(
          DatasetError.FOREIGN_RECORD,
          folder,
          () -> writer.write(example, ALL, DType.F32, values(1, 2)));
    }
    assertFails(
        DatasetError.FOREIGN_RECORD, folder, () -> writer.write(0, 14, DType.F32, values(1)));
  }

  @Test
  void recordsOfAnotherSizeOrTypeAreRefused() throws IOException {
    DatasetWriter writer = real(byExample, Spool.AUTO);
    assertFails(DatasetError.BLOCK_SIZE, folder, () -> writer.write(0, ALL, DType.F32, values(1)));
    assertFails(DatasetError.BLOCK_SIZE, folder, () -> writer.write(0, 11, DType.I32, values(1)));
    assertFails(
        DatasetError.BLOCK_SIZE,
        "shard0",
        () -> writer.write(0, 11, DType.F32, ByteBuffer.allocate(3)));
    DatasetWriter withoutRuns =
        writer(byExample, new PlainShardSinks(byExample, SampleMetadata.NONE), Spool.AUTO, false);
    assertFails(
        DatasetError.BLOCK_SIZE, "shard1", () -> withoutRuns.write(3, 11, DType.F32, values(1, 2)));
  }

  private static ByteBuffer values(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
    bytes.asIntBuffer().put(values);
    return bytes;
  }

  private static List<Integer> values(ByteBuffer bytes) {
    List<Integer> values = new ArrayList<>();
    for (int i = bytes.position(); i < bytes.limit(); i += Integer.BYTES) {
      values.add(bytes.getInt(i));
    }
    return values;
  }
}
