package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SafetensorsDatasetTest {
  private static final List<Integer> MIXED = List.of(-1, 5, -2, 0);
  private static final Geometry GEOMETRY = new Geometry(7, MIXED, 3, 2);

  @TempDir Path folder;

  @Property(tries = 60)
  void whatIsWrittenIsReadVectorByVector(RandomValues any) throws IOException {
    Columns columns = any.of(Columns.class);
    List<Integer> layers = layers(any);
    int examples = any.intBetween(1, 9);
    int batch = any.intBetween(1, 10);
    boolean withManifest = any.bool();
    Path directory = Files.createTempDirectory("safetensors");
    try {
      Geometry geometry = new Geometry(examples, layers, 2, 3);
      InventedFiles.write(
          new BatchWritePlan(geometry, columns, batch, Provenance.NONE),
          new LocalFolder(directory));
      if (!withManifest) {
        Files.delete(directory.resolve(SafetensorsTable.MANIFEST));
      }
      SafetensorsDataset dataset = SafetensorsDataset.open(new LocalFolder(directory));
      assertThat(dataset.geometry()).isEqualTo(geometry);
      assertThat(dataset.shards()).hasSize((examples - 1) / batch + 1);
      assertSameVectors(dataset, geometry);
    } finally {
      InventedFiles.delete(directory);
    }
  }

  private static List<Integer> layers(RandomValues any) {
    return any.oneOf(
        () -> any.of(MIXED, List.of(9, 10, 11), List.of(11, 9, 10, 100, 1), List.of(-10, -9)),
        () ->
            any.distinct(
                1,
                5,
                layer -> layer,
                () -> any.intBetween(Integer.MIN_VALUE + 1, Integer.MAX_VALUE)));
  }

  @Test
  void layersThatSortOtherwiseByNameLieInTheFileByName() throws IOException {
    BatchWritePlan target =
        new BatchWritePlan(
            new Geometry(2, List.of(9, 10, 11), 1, 1), Columns.LAYERS, 2, Provenance.NONE);
    // layer_10, layer_11, layer_9
    assertThat(target.order()).isEqualTo(new BlockOrder(true, List.of(1, 2, 0)));
    InventedFiles.write(target, new LocalFolder(folder));
    SafetensorsDataset dataset = open();
    assertThat(dataset.storageOrder()).isEqualTo(target.order());
    assertThat(dataset.geometry().layers()).containsExactly(9, 10, 11);
    assertSameVectors(dataset, InventedFiles.geometry(target.table()));
  }

  @ParameterizedTest
  @EnumSource
  void aFileAloneIsADataset(Columns columns) throws IOException {
    BatchWritePlan target = new BatchWritePlan(GEOMETRY, columns, 7, Provenance.NONE);
    InventedFiles.write(target, new LocalFolder(folder));
    SafetensorsDataset dataset =
        SafetensorsDataset.openFile(new LocalFolder(folder), target.shard(0).name());
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertSameVectors(dataset, GEOMETRY);
  }

  @Test
  void theSaevMetadataTravelsByteForByte() throws IOException {
    String metadata = "{\"data\": \"\\udcff \u00e4\",\r\n\"x\": NaN}\n";
    InventedFiles.write(
        new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, metadata(metadata)),
        new LocalFolder(folder));
    assertThat(open().activations().provenance()).isEqualTo(metadata(metadata));
    assertThat(open().warnings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void expectedRangesHoldExactlyTheBlocksThatAreRead(Columns columns) throws IOException {
    write(columns, 5);
    SafetensorsDataset dataset = open();
    try (Input in = dataset.folder().open(dataset.shards().get(0).name())) {
      BlockOffsets placement = dataset.placement(0, in);
      List<Long> blocks = new ArrayList<>();
      for (int layer = 0; layer < MIXED.size(); layer++) {
        for (long example = 1; example < 4; example++) {
          blocks.add(placement.offset(example, layer));
        }
      }
      List<Integer> all = BlockOrder.byExample(GEOMETRY).columns();
      List<ByteRange> ranges = dataset.expectedRanges(0, 1, 3, all);
      assertThat(ranges.stream().mapToLong(ByteRange::length).sum())
          .isEqualTo(3 * GEOMETRY.exampleBytes());
      assertThat(blocks)
          .allMatch(
              block ->
                  ranges.stream()
                      .anyMatch(
                          range ->
                              block >= range.offset()
                                  && block + GEOMETRY.blockBytes()
                                      <= range.offset() + range.length()));
    }
  }

  @Test
  void theSameDatasetHasTheSameNamesAndAnotherHasOthers() {
    BatchWritePlan target = new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, metadata("{}"));
    String name = target.shard(0).name();
    assertThat(name).matches("part-00000-0000-[0-9a-f-]{36}\\.safetensors");
    assertThat(new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, metadata("{}")).shard(0).name())
        .isEqualTo(name);
    assertThat(
            Stream.of(
                new BatchWritePlan(GEOMETRY, Columns.ACTS, 3, metadata("{}")),
                new BatchWritePlan(GEOMETRY, Columns.LAYERS, 4, metadata("{}")),
                new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, metadata("{ }")),
                new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, Provenance.NONE)))
        .extracting(other -> other.shard(0).name())
        .doesNotContain(name)
        .doesNotHaveDuplicates();
  }

  @Test
  void theManifestIsTheOneThatItsOwnToolsWrite() throws IOException {
    BatchWritePlan target =
        new BatchWritePlan(
            new Geometry(3, List.of(9, 10), 4, 5), Columns.LAYERS, 2, Provenance.NONE);
    InventedFiles.write(target, new LocalFolder(folder));
    String first = target.shard(0).name();
    String second = target.shard(1).name();
    long firstBytes = Files.size(folder.resolve(first));
    long secondBytes = Files.size(folder.resolve(second));
    assertThat(Files.readString(folder.resolve("dataset_manifest.json")))
        .isEqualToNormalizingNewlines(
            """
            {
              "format_version" : "1.0",
              "safetensors_version" : "1.0",
              "total_samples" : 3,
              "total_bytes" : %d,
              "shards" : [ {
                "shard_path" : "%s",
                "samples_count" : 2,
                "bytes" : %d
              }, {
                "shard_path" : "%s",
                "samples_count" : 1,
                "bytes" : %d
              } ],
              "schema" : {
                "layer_10" : {
                  "dtype" : "F32",
                  "shape" : [ 2, 4, 5 ]
                },
                "layer_9" : {
                  "dtype" : "F32",
                  "shape" : [ 2, 4, 5 ]
                }
              }
            }"""
                .formatted(firstBytes + secondBytes, first, firstBytes, second, secondBytes));
    assertThat(first).isLessThan(second);
  }

  @Test
  void aGigabyteIsTheDefaultSizeOfAFile() {
    Geometry mebibyte = new Geometry(1, List.of(1), 256, 1024);
    assertThat(BatchWritePlan.defaultExamplesPerShard(mebibyte.table())).isEqualTo(1024);
    Geometry large = new Geometry(1, List.of(1, 2, 3), 1 << 20, 1024);
    assertThat(BatchWritePlan.defaultExamplesPerShard(large.table())).isEqualTo(1);
  }

  @Test
  void aMissingPartIsNamed() throws IOException {
    write(Columns.LAYERS, 3);
    Path part = part(1);
    Files.delete(part);
    assertFails(TensorDatasetError.MISSING_FILE, part, this::open);
    Files.delete(folder.resolve(SafetensorsTable.MANIFEST));
    assertFails(TensorDatasetError.MISSING_FILE, part(1), this::open);
  }

  @Test
  void aPartOfTheWrongSizeIsNamedWithBothLengths() throws IOException {
    write(Columns.ACTS, 3);
    setLength(part(1), Files.size(part(1)) - 1);
    assertFails(TensorDatasetError.BAD_MANIFEST, part(1), this::open);
  }

  @Test
  void anOrphanIsNotReadAndIsAWarning() throws IOException {
    write(Columns.LAYERS, 3);
    Files.write(folder.resolve("part-00000-left-over.safetensors"), new byte[0]);
    SafetensorsDataset dataset = open();
    assertThat(dataset.warnings())
        .containsExactly(
            "files that dataset_manifest.json does not list are not read:"
                + " [part-00000-left-over.safetensors]");
    assertSameVectors(dataset, GEOMETRY);
  }

  @Test
  void aPartOfOtherColumnsIsRefusedWhenItIsRead() throws IOException {
    BatchWritePlan layers = new BatchWritePlan(GEOMETRY, Columns.LAYERS, 4, Provenance.NONE);
    BatchWritePlan acts = new BatchWritePlan(GEOMETRY, Columns.ACTS, 4, Provenance.NONE);
    InventedFiles.writeShard(layers, 0, new LocalFolder(folder));
    InventedFiles.writeShard(acts, 1, new LocalFolder(folder));
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s, %s]}"
            .formatted(entry(layers.shard(0).name(), 4), entry(acts.shard(1).name(), 3)));
    SafetensorsDataset dataset = open();
    assertFails(
        TensorDatasetError.FILES_DISAGREE,
        folder.resolve(acts.shard(1).name()),
        () -> assertSameVectors(dataset, GEOMETRY));
  }

  @Test
  void aPartOfOtherExamplesThanTheManifestSaysIsRefusedWhenItIsRead() throws IOException {
    BatchWritePlan target = new BatchWritePlan(GEOMETRY, Columns.LAYERS, 4, Provenance.NONE);
    InventedFiles.writeShard(target, 0, new LocalFolder(folder));
    InventedFiles.writeShard(target, 1, new LocalFolder(folder));
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s, %s]}"
            .formatted(entry(target.shard(0).name(), 3), entry(target.shard(1).name(), 4)));
    SafetensorsDataset dataset = open();
    assertFails(
        TensorDatasetError.FILES_DISAGREE,
        folder.resolve(target.shard(0).name()),
        () -> assertSameVectors(dataset, GEOMETRY));
  }

  @Test
  void aManifestThatCountsOtherExamplesThanTheFilesSayIsRefused() throws IOException {
    BatchWritePlan target = new BatchWritePlan(GEOMETRY, Columns.LAYERS, 7, Provenance.NONE);
    InventedFiles.writeShard(target, 0, new LocalFolder(folder));
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s]}"
            .formatted(entry(target.shard(0).name(), 8)));
    assertFails(TensorDatasetError.MISSING_FILE, folder, this::open);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "weight; F32; 2,3,4",
        "layer_x; F32; 2,3,4",
        "layer_; F32; 2,3,4",
        "layer_99999999999; F32; 2,3,4",
        "layer_9999999999; F32; 2,3,4",
        "layer_1; F32; 2,3",
        "acts; F32; 2,3,4",
        "acts; F32; 0,2147483647,1,1",
        "layer_1; F32; 2,0,4"
      })
  void aTensorThatHoldsNoActivationsIsNamed(String name, DType dtype, String shape)
      throws IOException {
    assertTensorFails(DatasetError.NO_ACTIVATIONS, name, dtype, shape);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"acts; F32; 0,9223372036854775807,1,1", "layer_1; F32; 0,9223372036854775807,1"})
  void aTensorWhoseExamplesHaveTooManyBytesIsNamed(String name, DType dtype, String shape)
      throws IOException {
    assertTensorFails(TensorDatasetError.BAD_COLUMN, name, dtype, shape);
  }

  private void assertTensorFails(ErrorKind kind, String name, DType dtype, String shape)
      throws IOException {
    List<Long> sizes = Stream.of(shape.split(",")).map(Long::valueOf).toList();
    writeTensors("one.safetensors", List.of(new TensorSpec(name, dtype, sizes)), Map.of());
    assertFails(kind, "one.safetensors", this::open);
    assertFails(
        kind,
        "one.safetensors",
        () -> SafetensorsDataset.openFile(new LocalFolder(folder), "one.safetensors"));
  }

  @Test
  void tensorsThatDoNotBelongTogetherAreRefused() throws IOException {
    TensorSpec one = new TensorSpec("layer_1", DType.F32, List.of(2L, 3L, 4L));
    writeTensors(
        "f.safetensors",
        List.of(one, new TensorSpec("layer_2", DType.F32, List.of(2L, 4L, 3L))),
        Map.of());
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors(
        "f.safetensors",
        List.of(one, new TensorSpec("layer_01", DType.F32, List.of(2L, 3L, 4L))),
        Map.of());
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors(
        "f.safetensors",
        List.of(one, new TensorSpec("acts", DType.F32, List.of(2L, 1L, 3L, 4L))),
        Map.of());
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors("f.safetensors", List.of(), Map.of());
    assertFails(TensorDatasetError.BAD_COLUMN, "f.safetensors", this::open);
  }

  @Test
  void theNamedLayersOfActsMustBeItsOwn() throws IOException {
    List<TensorSpec> acts = List.of(new TensorSpec("acts", DType.F32, List.of(2L, 2L, 3L, 4L)));
    writeTensors("f.safetensors", acts, Map.of("saev.layers", "1,2,3"));
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors("f.safetensors", acts, Map.of("saev.layers", "1;2"));
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors("f.safetensors", acts, Map.of("saev.layers", "4,4"));
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors("f.safetensors", acts, Map.of());
    assertThat(open().geometry().layers()).containsExactly(0, 1);
  }

  @Test
  void aFirstExampleThatIsNoNumberIsRefused() throws IOException {
    writeTensors(
        "f.safetensors",
        List.of(new TensorSpec("layer_1", DType.F32, List.of(2L, 3L, 4L))),
        Map.of("saev.first_example", "two"));
    assertFails(TensorDatasetError.BAD_FILE_METADATA, "f.safetensors", this::open);
  }

  @Test
  void filesWithoutExamplesTellTheColumns() throws IOException {
    TensorSpec none = new TensorSpec("layer_-2", DType.F16, List.of(0L, 3L, 4L));
    writeTensors("a.safetensors", List.of(none), Map.of());
    writeTensors("b.safetensors", List.of(none), Map.of());
    assertThat(open().geometry()).isEqualTo(new Geometry(0, List.of(-2), 3, 4, DType.F16));
    assertThat(open().shards()).containsExactly(shard("a.safetensors", 0, 0));
    TensorSpec one = new TensorSpec("layer_-2", DType.F16, List.of(1L, 3L, 4L));
    writeTensors("b.safetensors", List.of(one), Map.of());
    assertThat(open().shards()).containsExactly(shard("b.safetensors", 0, 1));
  }

  private Shard shard(String name, long first, long examples) throws IOException {
    return new Shard(name, first, examples, Files.size(folder.resolve(name)));
  }

  @Test
  void aManifestMayListNothingButFilesWithoutExamples() throws IOException {
    TensorSpec none = new TensorSpec("layer_1", DType.F32, List.of(0L, 3L, 4L));
    writeTensors("a.safetensors", List.of(none), Map.of());
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s]}".formatted(entry("a.safetensors", 0)));
    assertThat(open().geometry()).isEqualTo(new Geometry(0, List.of(1), 3, 4));
  }

  @Test
  void aFolderWithoutExamplesIsNoDataset() throws IOException {
    Files.write(folder.resolve("other"), new byte[3]);
    assertFails(TensorDatasetError.NO_EXAMPLES, folder, this::open);
    manifest("{\"format_version\": \"1.0\", \"shards\": []}");
    assertFails(TensorDatasetError.NO_EXAMPLES, folder, this::open);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{'format_version': '1.0', 'shards': []} {}",
        "{'format_version': '2.0'}",
        "{'format_version': 1.0}",
        "{'format_version': null}",
        "{'shards': [PART]}",
        "{'format_version': '1.0'}",
        "{'shards': {}}",
        "{'shards': null}",
        "{'shards': [3]}",
        "{'shards': [PART, []]}",
        "{'shards': [{}]}",
        "{'shards': [{'shard_path': 3, 'samples_count': 1, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': '1', 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1.0, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': -1, 'bytes': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1, 'bytes': -1}]}",
        "{'shards': [{'shard_path': 'a', 'samples_count': 1, 'bytes': 1e3}]}"
      })
  void aBrokenManifestIsRefusedWithItsFault(String text) throws IOException {
    write(Columns.LAYERS, 7);
    manifest(text.replace("PART", entry(part(0).getFileName().toString(), 7)).replace('\'', '"'));
    assertFails(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  /** The text is Jackson's, and of its version. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"shards\": []} x",
        "{\"shards\": [{\"shard_path\": \"a\", \"samples_count\": 99999999999999999999}]}"
      })
  void aManifestThatIsNoJsonIsRefused(String text) throws IOException {
    manifest(text);
    assertFailsWithAnyText(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void aPartThatIsListedTwiceIsNamed() throws IOException {
    write(Columns.LAYERS, 7);
    String entry = entry(part(0).getFileName().toString(), 7);
    manifest("{\"format_version\": \"1.0\", \"shards\": [%s, %s]}".formatted(entry, entry));
    assertFails(TensorDatasetError.BAD_MANIFEST, part(0), this::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "/etc/passwd", "..", "../a", ".hidden", "a\\\\b"})
  void aShardPathThatIsNoPlainFileNameIsRefused(String name) throws IOException {
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"%s\", \"samples_count\": 1,"
                .formatted(name)
            + " \"bytes\": 1}]}");
    assertFails(TensorDatasetError.BAD_MANIFEST, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void countsThatAddUpToMoreThanALongAreRefused() throws IOException {
    write(Columns.LAYERS, 4);
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s, %s]}"
            .formatted(
                entry(part(0).getFileName().toString(), Long.MAX_VALUE),
                entry(part(1).getFileName().toString(), Long.MAX_VALUE)));
    assertFails(TensorDatasetError.TOO_LARGE, folder, this::open);
  }

  @Test
  void countsThatMakeMoreBytesThanALongAreRefused() throws IOException {
    write(Columns.LAYERS, 7);
    manifest(
        "{\"format_version\": \"1.0\", \"shards\": [%s]}"
            .formatted(entry(part(0).getFileName().toString(), Long.MAX_VALUE)));
    assertFails(TensorDatasetError.MISSING_FILE, folder, this::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"schema\": %s", "{\"shards\": [%s", "{\"shards\": [{\"a\": %s"})
  void aManifestNestedWithoutEndIsRefusedAndNoStackOverflows(String start) throws IOException {
    manifest(start.formatted("[".repeat(100_000)));
    assertFails(JsonError.LIMIT_EXCEEDED, SafetensorsTable.MANIFEST, this::open);
  }

  @Test
  void anyBytesAreAManifestOrABadOne() {
    Random random = new Random(5);
    byte[] valid =
        "{\"format_version\": \"1.0\", \"shards\": [{\"shard_path\": \"a\", \"samples_count\": 1}]}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 3000; i++) {
      byte[] bytes = valid.clone();
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        // often at the beginning, where the encoding is guessed
        bytes[random.nextInt(random.nextBoolean() ? 4 : bytes.length)] = (byte) random.nextInt();
      }
      refuse(bytes);
    }
    // a byte order mark of an UCS-4 that nobody supports
    refuse(new byte[] {0, 0, (byte) 0xff, (byte) 0xfe, 0, 0, 0, 0});
  }

  private static void refuse(byte[] bytes) {
    assertThatCode(
            () -> {
              try {
                DatasetManifest.parse("m", bytes);
              } catch (FormatException e) {
                assertThat(e.kind()).isEqualTo(TensorDatasetError.BAD_MANIFEST);
                assertThat(e.path()).isEqualTo("m");
              }
            })
        .doesNotThrowAnyException();
  }

  private void write(Columns columns, long batch) throws IOException {
    InventedFiles.write(
        new BatchWritePlan(GEOMETRY, columns, batch, Provenance.NONE), new LocalFolder(folder));
  }

  private void writeTensors(String name, List<TensorSpec> tensors, Map<String, String> metadata)
      throws IOException {
    ByteBuffer header = SafetensorsHeader.encode(tensors, metadata).bytes();
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
      file.setLength(0);
      file.getChannel().write(header);
      file.setLength(SafetensorsHeader.encode(tensors, metadata).fileBytes());
    }
  }

  private void manifest(String text) throws IOException {
    Files.writeString(folder.resolve(SafetensorsTable.MANIFEST), text);
  }

  private String entry(String name, long examples) throws IOException {
    return "{\"shard_path\": \"%s\", \"samples_count\": %d, \"bytes\": %d}"
        .formatted(name, examples, Files.size(folder.resolve(name)));
  }

  private Path part(int index) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".safetensors")).sorted().toList().get(index);
    }
  }

  private static void setLength(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  private SafetensorsDataset open() throws IOException {
    return SafetensorsDataset.open(new LocalFolder(folder));
  }

  private static void assertSameVectors(SafetensorsDataset dataset, Geometry geometry)
      throws IOException {
    assertThat(dataset.shards().stream().mapToLong(Shard::examples).sum())
        .isEqualTo(dataset.geometry().examples());
    InventedDataset expected = new InventedDataset(geometry, false, 1);
    long vectors = 0;
    RecordSelection all = RecordSelection.all(dataset.geometry(), RecordSelection.Unit.VECTOR);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        assertThat(cursor.bytes())
            .isEqualTo(expected.vector(cursor.example(), cursor.column(), cursor.token()));
        vectors++;
      }
    }
    assertThat(vectors)
        .isEqualTo(geometry.examples() * geometry.layers().size() * geometry.tokens());
  }

  private static Provenance metadata(String text) {
    return Provenance.NONE.with("saev.metadata", text);
  }
}
