package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.safetensors.header.ZeroFiles;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("late")
class SafetensorsTableTest {
  @TempDir Path folder;

  private static String separator(RandomValues any) {
    return any.of("__", "/", " ", "::", ".", "\u00e9", "\t", "\ud83d\ude00");
  }

  private static List<String> ids(RandomValues any) {
    return any.distinct(
        1,
        12,
        id -> id,
        () ->
            any.oneOf(
                () -> any.filtered(() -> any.text(0, 5), SafetensorsTableTest::isText),
                () ->
                    any.of(
                        "a",
                        "a__",
                        "__a__b",
                        "_",
                        "/",
                        "x/y",
                        "\"",
                        "\\",
                        "\u0000",
                        "9",
                        "10",
                        "009",
                        "",
                        "\u00e4",
                        "\ud83d\ude00",
                        "\uff41",
                        "\uffff",
                        "\n")));
  }

  private static boolean isText(String text) {
    return text.equals(
        new String(
            text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            java.nio.charset.StandardCharsets.UTF_8));
  }

  @Property(tries = 150, sample = 50)
  void anyColumnsInBatchesAreReadBackByteForByte(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    int examples = any.intBetween(1, 12);
    int batch = any.intBetween(1, 13);
    Tail tail = any.of(Tail.class);
    boolean withManifest = any.bool();
    long written = BatchWritePlan.written(examples, batch, tail);
    assumeTrue(written > 0);
    TableShape table = new TableShape(written, columns);
    inFolder(
        directory -> {
          BatchWritePlan target =
              new BatchWritePlan(table, Columns.LAYERS, batch, tail, 8, Provenance.NONE, null);
          SafetensorsTable found = writeAndOpen(target, directory, withManifest);
          assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
          assertThat(found.shards()).hasSize((int) ((written - 1) / batch + 1));
          assertThat(found.warnings()).isEmpty();
          AnyTables.assertSame(found, table, example -> example);
          AnyTables.assertCanonical(found.folder(), 8);
          if (tail != Tail.WRITE) {
            assertFullFiles(found, batch);
          }
        });
  }

  @Property(tries = 150, sample = 50)
  void anyColumnsUnderKeysAreReadBackByteForByte(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    String separator = separator(any);
    int examples = any.intBetween(1, 120);
    int perShard = any.intBetween(1, 121);
    boolean withManifest = any.bool();
    assumeTrue(columns.stream().allMatch(c -> (separator + c.name()).lastIndexOf(separator) == 0));
    TableShape table = new TableShape(examples, columns);
    inFolder(
        directory -> {
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
        });
  }

  @Property(tries = 150, sample = 50)
  void anyIdsAreReadBackWithTheirBlocks(RandomValues any) throws IOException {
    List<Column> columns = AnyTables.columns(any);
    String separator = separator(any);
    List<String> ids = ids(any);
    int perShard = any.intBetween(1, 13);
    assumeTrue(columns.stream().allMatch(c -> (separator + c.name()).lastIndexOf(separator) == 0));
    TableShape table = new TableShape(ids.size(), columns);
    inFolder(
        directory -> {
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
        });
  }

  @Property(tries = 60)
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
    inFolder(
        directory -> {
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
        });
  }

  @Property(tries = 60)
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
        new BatchWritePlan(table, Columns.LAYERS, 4, Tail.PAD, 8, Provenance.NONE, null);
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
    foreign("a", null, new TensorSpec("packed", DType.F4, List.of(4L, 3L)));
    assertFails(
        TensorDatasetError.BAD_COLUMN, "a.safetensors", () -> open(SafetensorsOptions.NONE));
  }

  @Test
  void filesOfOtherColumnsAreRefusedWhenTheyAreRead() throws IOException {
    foreign("a", null, new TensorSpec("x", DType.F32, List.of(4L, 3L)));
    foreign("b", null, new TensorSpec("x", DType.F16, List.of(4L, 3L)));
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    try (Input in = found.folder().open("b.safetensors")) {
      assertFails(TensorDatasetError.FILES_DISAGREE, "b.safetensors", () -> found.placement(1, in));
    }
  }

  @Test
  void keysOfUnequalShapesAndMissingColumnsAreRefused() throws IOException {
    SafetensorsOptions keys = options(TensorLayout.KV, null);
    foreign(
        "a",
        null,
        new TensorSpec("1__x", DType.F32, List.of(3L)),
        new TensorSpec("2__x", DType.F32, List.of(4L)));
    assertFails(TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(keys));
    foreign(
        "a",
        null,
        new TensorSpec("1__x", DType.F32, List.of(3L)),
        new TensorSpec("1__y", DType.F32, List.of(3L)),
        new TensorSpec("2__x", DType.F32, List.of(3L)));
    assertFails(TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(keys));
  }

  @Test
  void asManyVectorsUnderKeysAsTheyHaveNumbersAreKeys() throws IOException {
    TensorSpec[] square = new TensorSpec[64];
    for (int i = 0; i < square.length; i++) {
      square[i] = new TensorSpec("id%02d__emb".formatted(i), DType.F32, List.of(64L));
    }
    foreign("a", null, square);
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    assertThat(found.layout()).isEqualTo(TensorLayout.KV);
    assertThat(found.warnings())
        .containsExactly(
            "the tensors' names look like keys, 64 ids before \"__\", and are read as such"
                + " (--from-layout batch reads columns)");
    assertThat(found.table())
        .isEqualTo(new TableShape(64, List.of(new Column("emb", DType.F32, List.of(64L)))));
    manifest("a", 64);
    assertThat(open(SafetensorsOptions.NONE).layout()).isEqualTo(TensorLayout.KV);
    SafetensorsTable batch = open(options(TensorLayout.BATCH, null));
    assertThat(batch.table().columns())
        .hasSize(64)
        .contains(new Column("id00__emb", DType.F32, List.of()));
    assertThat(batch.warnings()).isEmpty();
  }

  @Test
  void columnsWhoseNamesHaveTheSeparatorAreBatchesWhereTheManifestCountsOtherwise()
      throws IOException {
    foreign(
        "a",
        null,
        new TensorSpec("enc__x", DType.F32, List.of(9L, 3L)),
        new TensorSpec("dec__x", DType.F32, List.of(9L, 3L)));
    assertThat(open(SafetensorsOptions.NONE).layout()).isEqualTo(TensorLayout.KV);
    manifest("a", 9);
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
    assertThat(found.table().examples()).isEqualTo(9);
    assertThat(found.warnings()).isEmpty();
  }

  @Test
  void batchesThatWeWroteStayBatchesWhateverTheirColumnsAreCalled() throws IOException {
    TableShape table =
        new TableShape(
            2,
            List.of(
                new Column("a__x", DType.F32, List.of(3L)),
                new Column("b__x", DType.F32, List.of(3L))));
    SafetensorsTable found = writeAndOpen(batches(table, 2, 8), folder, false);
    assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
    assertThat(found.warnings()).isEmpty();
    AnyTables.assertSame(found, table, example -> example);
  }

  @Test
  void theWrongSeparatorIsNamedInTheError() throws IOException {
    foreign(
        "a",
        null,
        new TensorSpec("1/x", DType.F32, List.of(2L)),
        new TensorSpec("2/x", DType.F32, List.of(2L)),
        new TensorSpec("3/x", DType.F32, List.of(2L)));
    manifest("a", 3);
    assertFails(
        TensorDatasetError.FILES_DISAGREE, "a.safetensors", () -> open(SafetensorsOptions.NONE));
    assertFails(
        TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(options(TensorLayout.KV, null)));
    assertThat(open(options(null, "/")).table().examples()).isEqualTo(3);
    assertThat(open(options(null, "/")).layout()).isEqualTo(TensorLayout.KV);
  }

  @Test
  void numbersAsIdsSortAsNumbersAndOthersStayAsTheyLie() throws IOException {
    foreign("a", null, scalars("10__x", "9__x", "100__x", "0__x"));
    assertThat(open(options(TensorLayout.KV, null)).ids(0)).containsExactly("0", "9", "10", "100");
    foreign("a", null, scalars("10__x", "9__x", "09__x"));
    assertThat(open(options(TensorLayout.KV, null)).ids(0)).containsExactly("09", "10", "9");
    foreign("a", null, scalars("1234567890123456789__x", "9__x"));
    assertThat(open(options(TensorLayout.KV, null)).ids(0))
        .containsExactly("1234567890123456789", "9");
  }

  @Test
  void aColumnThatEndsWithinItsSeparatorCanNotBeAKey() {
    TableShape table = new TableShape(1, List.of(new Column("_x", DType.F32, List.of())));
    assertThatThrownBy(() -> keyed(table, "__", ExampleIds.numbers(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column `_x` could not be told from its key's id");
    assertThatThrownBy(() -> keyed(table, "", ExampleIds.numbers(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("separator of keys is empty");
  }

  @Test
  void aSchemaIsLeftOutOfTheManifestWhereItsTypesAreNone() throws IOException {
    for (DType dtype : DType.values()) {
      Path directory = Files.createDirectory(folder.resolve(dtype.name()));
      TableShape table = new TableShape(1, List.of(new Column("x", dtype, List.of(4L))));
      writeAndOpen(batches(table, 1, 8), directory, true);
      String manifest = Files.readString(directory.resolve(SafetensorsTable.MANIFEST));
      assertThat(manifest.contains("\"schema\""))
          .isEqualTo(dtype.name().matches("B?F16|F32|F64|[UI](8|16|32|64)"));
    }
  }

  private static TensorSpec[] scalars(String... names) {
    TensorSpec[] specs = new TensorSpec[names.length];
    for (int i = 0; i < names.length; i++) {
      specs[i] = new TensorSpec(names[i], DType.F32, List.of());
    }
    return specs;
  }

  private void foreign(String name, Map<String, String> metadata, TensorSpec... specs)
      throws IOException {
    ZeroFiles.write(folder.resolve(name + ".safetensors"), metadata, List.of(specs));
  }

  private void manifest(String name, long examples) throws IOException {
    Path file = folder.resolve(name + ".safetensors");
    String text =
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"%s\", \"samples_count\": %d,"
            + " \"bytes\": %d}]}";
    Files.writeString(
        folder.resolve(SafetensorsTable.MANIFEST),
        text.formatted(file.getFileName(), examples, Files.size(file)));
  }

  private SafetensorsTable open(SafetensorsOptions options) throws IOException {
    return SafetensorsTable.open(new LocalFolder(folder), options);
  }

  private static SafetensorsOptions options(TensorLayout layout, String separator) {
    return new SafetensorsOptions(layout, separator, HeaderStrictness.STRICT, List.of());
  }

  private static BatchWritePlan batches(TableShape table, long batch, int alignment) {
    return new BatchWritePlan(
        table, Columns.LAYERS, batch, Tail.WRITE, alignment, Provenance.NONE, null);
  }

  private static KeyedWritePlan keyed(
      TableShape table, String separator, ExampleIds ids, long perShard) {
    return new KeyedWritePlan(
        table, Columns.LAYERS, separator, ids, perShard, 8, Provenance.NONE, null);
  }

  private static ExampleIds named(List<String> ids) {
    return new ExampleIds() {
      @Override
      public List<String> ids(long first, long count) {
        return ids.subList((int) first, (int) (first + count));
      }

      @Override
      public int maxBytes() {
        return ids.stream().mapToInt(id -> 6 * id.length()).max().orElse(0);
      }

      @Override
      public boolean areNumbers() {
        return false;
      }
    };
  }

  private static <P extends WritePlan & DatasetFinisher> SafetensorsTable writeAndOpen(
      P target, Path directory, boolean withManifest) throws IOException {
    LocalFolder files = new LocalFolder(directory);
    AnyTables.write(target, files, directory);
    if (!withManifest) {
      Files.delete(directory.resolve(SafetensorsTable.MANIFEST));
    }
    return SafetensorsTable.open(files, SafetensorsOptions.NONE);
  }

  private static void assertFullFiles(SafetensorsTable found, long batch) throws IOException {
    for (Shard shard : found.shards()) {
      try (Input in = found.folder().open(shard.name())) {
        assertThat(SafetensorsHeader.read(in).tensors())
            .allMatch(tensor -> tensor.shape().get(0) == batch);
      }
    }
  }

  private interface InFolder {
    void run(Path directory) throws IOException;
  }

  private static void inFolder(InFolder test) throws IOException {
    Path directory = Files.createTempDirectory("tables");
    try {
      test.run(directory);
    } finally {
      InventedFiles.delete(directory);
    }
  }
}
