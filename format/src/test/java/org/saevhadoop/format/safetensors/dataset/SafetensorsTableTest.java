package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("late")
@Tag("sampled")
class SafetensorsTableTest extends WrittenTables {
  @Property(tries = 150, sample = 30)
  void anyColumnsInBatchesAreReadBackByteForByte(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    int examples = any.intBetween(1, 12);
    int batch = any.intBetween(1, 13);
    Tail tail = any.of(Tail.class);
    boolean withManifest = any.bool();
    long written = BatchWritePlan.written(examples, batch, tail);
    assumeTrue(written > 0);
    TableShape table = new TableShape(written, columns);
    Path directory = newFolder();
    BatchWritePlan target =
        WrittenBatches.plan(table, Columns.LAYERS, batch, tail, 8, Provenance.NONE, null);
    SafetensorsTable found = writeAndOpen(target, directory, withManifest);
    assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
    assertThat(found.shards()).hasSize((int) ((written - 1) / batch + 1));
    assertThat(found.warnings()).isEmpty();
    AnyTables.assertSame(found, table, example -> example);
    AnyTables.assertCanonical(found.folder(), 8);
    if (tail != Tail.WRITE) {
      assertFullFiles(found, batch);
    }
  }

  @Property(tries = 150, sample = 15)
  void anyColumnsUnderKeysAreReadBackByteForByte(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    String separator = separator(any);
    int examples = any.intBetween(1, 120);
    int perShard = any.intBetween(1, 121);
    boolean withManifest = any.bool();
    assumeTrue(columns.stream().allMatch(c -> (separator + c.name()).lastIndexOf(separator) == 0));
    TableShape table = new TableShape(examples, columns);
    Path directory = newFolder();
    KeyedWritePlan target = keyed(table, separator, ExampleIds.numbers(examples), perShard);
    SafetensorsTable found = writeAndOpen(target, directory, withManifest);
    assertThat(found.layout()).isEqualTo(TensorLayout.KV);
    assertThat(found.separator()).isEqualTo(separator);
    assertThat(found.shards()).hasSize((examples - 1) / perShard + 1);
    AnyTables.assertSame(found, table, example -> example);
    AnyTables.assertCanonical(found.folder(), 8);
    assertThat(DuplicateKeyScan.of(found))
        .returns(true, DuplicateKeyScan::numbers)
        .returns(null, DuplicateKeyScan::example);
  }

  @Property(tries = 150, sample = 30)
  void anyIdsAreReadBackWithTheirBlocks(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    String separator = separator(any);
    List<String> ids = ids(any);
    int perShard = any.intBetween(1, 13);
    assumeTrue(columns.stream().allMatch(c -> (separator + c.name()).lastIndexOf(separator) == 0));
    TableShape table = new TableShape(ids.size(), columns);
    Path directory = newFolder();
    KeyedWritePlan target = keyed(table, separator, named(ids), perShard);
    SafetensorsTable found = writeAndOpen(target, directory, true);
    List<String> read = new ArrayList<>();
    for (int i = 0; i < found.shards().size(); i++) {
      Shard shard = found.shards().get(i);
      assertThat(found.ids(i))
          .containsExactlyInAnyOrderElementsOf(
              ids.subList((int) shard.first(), (int) (shard.first() + shard.examples())));
      read.addAll(found.ids(i));
    }
    AnyTables.assertSame(found, table, example -> ids.indexOf(read.get((int) example)));
    AnyTables.assertCanonical(found.folder(), 8);
  }

  @Property(tries = 60, sample = 20)
  void examplesAreLeftOutWhicheverTheyAre(RandomValues any) throws IOException {
    int perShard = any.intBetween(1, 5);
    List<Integer> numbers = any.list(0, 255, () -> any.intBetween(0, 11));
    boolean keys = any.bool();
    long[] dropped = numbers.stream().mapToLong(n -> n).distinct().sorted().toArray();
    assumeTrue(dropped.length < 12);
    TableShape table = new TableShape(12, List.of(new Column("x", DType.I16, List.of(3L))));
    long[] left =
        LongStream.range(0, 12)
            .filter(n -> LongStream.of(dropped).noneMatch(d -> d == n))
            .toArray();
    Path directory = newFolder();
    SafetensorsTable all =
        writeAndOpen(
            keys
                ? keyed(table, "__", ExampleIds.numbers(12), perShard)
                : batches(table, perShard, 8),
            directory,
            true);
    SafetensorsTable some = all.without(dropped);
    AnyTables.assertSame(some, table.withExamples(left.length), e -> left[(int) e]);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < some.shards().size(); i++) {
      ids.addAll(some.ids(i));
    }
    assertThat(ids)
        .isEqualTo(keys ? LongStream.of(left).mapToObj(Long::toString).toList() : List.of());
  }

  @Property(tries = 60, sample = 25)
  void noHeaderIsLongerThanAskedUnlessItIsOfOneExample(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    List<String> ids = ids(any);
    int headerBytes = any.intBetween(1, 8000);
    int shardBytes = any.intBetween(1, 400);
    assumeTrue(columns.stream().allMatch(c -> ("/" + c.name()).lastIndexOf("/") == 0));
    TableShape table = new TableShape(ids.size(), columns);
    Provenance provenance =
        Provenance.NONE.with("saev.metadata", "{\"\u00e4\": 1}").with("saev.directory", "ab");
    ExampleIds names = named(ids);
    long perShard =
        KeyedWritePlan.examplesPerShard(
            table, Columns.LAYERS, "/", names, provenance, null, 64, shardBytes, headerBytes);
    KeyedWritePlan target =
        new KeyedWritePlan(table, Columns.LAYERS, "/", names, perShard, 64, provenance, null);
    for (long i = 0; i < target.shardCount(); i++) {
      int header = target.shard(i).header().length;
      assertThat(header <= headerBytes || target.examples(i) == 1)
          .as("%d of %d", header, headerBytes)
          .isTrue();
      assertThat(target.examples(i) * table.exampleBytes() <= shardBytes || target.examples(i) == 1)
          .isTrue();
    }
  }

  @Test
  void aHeaderLimitThatHoldsOneKeyGivesEachExampleAFile() throws IOException {
    TableShape table = new TableShape(11, List.of(new Column("x", DType.F16, List.of(2L))));
    ExampleIds ids = ExampleIds.numbers(11);
    long perShard =
        KeyedWritePlan.examplesPerShard(
            table, Columns.LAYERS, "__", ids, Provenance.NONE, null, 8, 1 << 20, 1);
    assertThat(perShard).isEqualTo(1);
    SafetensorsTable found = writeAndOpen(keyed(table, "__", ids, 1), folder, true);
    assertThat(found.shards()).hasSize(11);
    AnyTables.assertSame(found, table, example -> example);
  }

  @ParameterizedTest
  @CsvSource({"64,false", "64,true", "256,false", "256,true", "4096,false", "4096,true"})
  void dataBeginsWhereItIsAskedTo(int alignment, boolean keys) throws IOException {
    TableShape table =
        new TableShape(
            11,
            List.of(
                new Column("x", DType.F16, List.of(3L)), new Column("y", DType.BOOL, List.of())));
    SafetensorsTable found =
        writeAndOpen(
            keys
                ? new KeyedWritePlan(
                    table,
                    Columns.LAYERS,
                    "__",
                    ExampleIds.numbers(11),
                    4,
                    alignment,
                    Provenance.NONE,
                    null)
                : batches(table, 4, alignment),
            folder,
            true);
    AnyTables.assertCanonical(found.folder(), alignment);
    AnyTables.assertSame(found, table, example -> example);
  }

  @Test
  void aPaddedFileEndsWithZerosAndTheManifestCountsThem() throws IOException {
    TableShape table = new TableShape(7, List.of(new Column("x", DType.I8, List.of(5L))));
    BatchWritePlan target =
        WrittenBatches.plan(table, Columns.LAYERS, 4, Tail.PAD, 8, Provenance.NONE, null);
    writeAndOpen(target, folder, true);
    byte[] last = Files.readAllBytes(folder.resolve(target.shardName(1)));
    ByteBuffer sixth = ByteBuffer.wrap(last, last.length - 10, 5).slice();
    assertThat(sixth).isEqualTo(AnyTables.block(6, table.columns().get(0)));
    assertThat(ByteBuffer.wrap(last, last.length - 5, 5).slice()).isEqualTo(ByteBuffer.allocate(5));
    assertThat(Files.readString(folder.resolve(SafetensorsTable.MANIFEST)))
        .contains("\"total_samples\" : 8");
    SafetensorsTable alone =
        SafetensorsTable.openFile(
            new LocalFolder(folder), target.shardName(1), SafetensorsOptions.NONE);
    assertThat(alone.table().examples()).isEqualTo(3);
  }

  @Test
  void rowsThatDoNotEndAtAByteAreRefusedWithTheirTensor() throws IOException {
    foreign(new TensorSpec("packed", DType.F4, List.of(4L, 3L)));
    assertFails(
        TensorDatasetError.BAD_COLUMN, "a.safetensors", () -> open(SafetensorsOptions.NONE));
  }
}
