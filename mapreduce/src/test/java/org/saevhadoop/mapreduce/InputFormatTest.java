package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.mapreduce.OutputJob.FIXTURE;
import static org.saevhadoop.mapreduce.OutputJob.GEOMETRY;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.format.samediff.dataset.SdnbWritePlan;
import org.saevhadoop.format.samediff.dataset.SdzWritePlan;
import org.saevhadoop.format.samediff.dataset.WrittenArrays;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.mapreduce.Tasks.Read;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputKeys;

@ResourceLock(FaultyFileSystem.SCHEME)
class InputFormatTest {
  /** Two layers, 50 tokens of 768 dims, five examples in shards of 2, 2 and 1. */
  private static final Path REALISTIC =
      FIXTURE.resolveSibling("2826ce7a72edb52860eb5cac3fb9b7c38b784e9822ab9f99eca8368279eaca30");

  /** Three layers, [CLS] and 9 tokens of 16 dims, seven examples in shards of two. */
  private static final Path SMALL = FIXTURE;

  private static final int EXAMPLE_BYTES = 2 * 50 * 768 * 4;

  @TempDir Path temporary;
  private Job job;
  private Configuration conf;

  /** A dataset of invented numbers, and who reads it. */
  private record Source(String name, ActivationInputFormat format, Columns columns) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Source> sources() {
    return List.of(
        new Source("SAEV", new SaevInputFormat(), null),
        new Source("layers", new SafetensorsInputFormat(), Columns.LAYERS),
        new Source("acts", new SafetensorsInputFormat(), Columns.ACTS),
        new Source("SDNB", new SameDiffInputFormat(), null),
        new Source("SDZ", new SameDiffInputFormat(), null));
  }

  @BeforeEach
  void configure() throws IOException {
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    FaultyFileSystem.register(conf);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void wholeExamplesAreTheDefaultRecords(Source source) throws Exception {
    List<Read> records = read(source.format(), invented(source));
    assertThat(records).hasSize(7);
    for (int example = 0; example < 7; example++) {
      Read record = records.get(example);
      assertThat(record.key()).isEqualTo(new ActivationKey(example, ActivationKey.ALL, 0));
      assertThat(record.value().shape()).containsExactly(3, 10, 16);
      assertThat(record.value().bytes()).isEqualTo(InventedFiles.example(GEOMETRY, example));
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void blocksNameTheirLayerAsTheModelCountsIt(Source source) throws Exception {
    conf.set(InputKeys.RECORD.name(), "block");
    maxSplit(2 * GEOMETRY.exampleBytes());
    List<Read> records = read(source.format(), invented(source));
    assertThat(records).hasSize(21);
    for (int i = 0; i < 21; i++) {
      Read record = records.get(i);
      int layer = GEOMETRY.layers().get(i % 3);
      assertThat(record.key()).isEqualTo(new ActivationKey(i / 3, layer, 0));
      assertThat(record.value().shape()).containsExactly(10, 16);
      assertThat(record.value().bytes()).isEqualTo(InventedFiles.block(GEOMETRY, i / 3, i % 3));
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void vectorsOfTheLayersAndTokensAskedForComeInTheOrderAskedFor(Source source) throws Exception {
    conf.set(InputKeys.RECORD.name(), "vector");
    conf.set(InputKeys.LAYERS.name(), " 23, 13 ");
    conf.set(InputKeys.TOKENS.name(), "image");
    List<Read> records = read(source.format(), invented(source));
    InventedDataset invented = new InventedDataset(GEOMETRY, false, 1);
    assertThat(records).hasSize(7 * 2 * 9);
    int i = 0;
    for (int example = 0; example < 7; example++) {
      for (int layerIndex : new int[] {2, 0}) {
        for (int token = 1; token < 10; token++) {
          Read record = records.get(i++);
          int layer = GEOMETRY.layers().get(layerIndex);
          assertThat(record.key()).isEqualTo(new ActivationKey(example, layer, token));
          assertThat(record.value().shape()).containsExactly(16);
          assertThat(record.value().bytes()).isEqualTo(invented.vector(example, layerIndex, token));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void theClsTokenAloneIsOneVectorOfEachLayer(Source source) throws Exception {
    conf.set(InputKeys.TOKENS.name(), "cls");
    List<Read> records = read(source.format(), invented(source));
    InventedDataset invented = new InventedDataset(GEOMETRY, false, 1);
    assertThat(records).hasSize(7);
    for (Read record : records) {
      assertThat(record.value().shape()).containsExactly(3, 1, 16);
      ByteBuffer bytes = record.value().bytes();
      for (int layer = 0; layer < 3; layer++) {
        assertThat(bytes.slice(layer * 64, 64))
            .isEqualTo(invented.vector(record.key().example(), layer, 0));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void layerOrderGoesThroughEachGroupLayerByLayer(Source source) throws Exception {
    conf.set(InputKeys.RECORD.name(), "block");
    conf.set(InputKeys.ORDER.name(), "layer");
    conf.set(InputKeys.LAYERS.name(), "13,23");
    conf.set(InputKeys.GROUP.name(), "4");
    maxSplit(1);
    List<Read> records = read(source.format(), invented(source));
    assertThat(records)
        .extracting(record -> record.key().example() + ":" + record.key().layer())
        .containsExactly(
            "0:13", "1:13", "2:13", "3:13", "0:23", "1:23", "2:23", "3:23", "4:13", "5:13", "6:13",
            "4:23", "5:23", "6:23");
  }

  @Test
  void aSafetensorsFileAloneIsRead() throws Exception {
    Path folder = invented(sources().get(1));
    try (Stream<Path> files = Files.list(folder)) {
      Path second = files.filter(f -> f.toString().contains("part-00001")).findFirst().get();
      List<Read> records = read(new SafetensorsInputFormat(), second);
      assertThat(records).hasSize(2);
      // numbered from its own beginning; the numbers are those of examples 2 and 3
      assertThat(records.get(1).key().example()).isEqualTo(1);
      assertThat(records.get(1).value().bytes()).isEqualTo(InventedFiles.example(GEOMETRY, 3));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, '1,1,1,1,1'",
    "307200, 0, '1,1,1,1,1'",
    "614399, 0, '1,1,1,1,1'",
    "614400, 0, '2,2,1'",
    "921600, 0, '2,3'",
    "1228800, 0, '4,1'",
    "100000000, 0, '5'",
    "1, 614400, '2,2,1'"
  })
  void splitsAreOfTheSizeAskedForButAlwaysOfWholeExamples(long max, long min, String counts)
      throws IOException {
    FileInputFormat.setMaxInputSplitSize(job, max);
    FileInputFormat.setMinInputSplitSize(job, min);
    List<ExampleSplit> splits = splits(new SaevInputFormat(), REALISTIC);
    assertThat(splits.stream().map(split -> Long.toString(split.count())))
        .containsExactly(counts.split(","));
    long next = 0;
    for (ExampleSplit split : splits) {
      assertThat(split.first()).isEqualTo(next);
      assertThat(split.getLength()).isEqualTo(split.count() * EXAMPLE_BYTES);
      assertThat(split.getLocations()).isEmpty();
      next += split.count();
    }
  }

  @Test
  void aSplitsSizeIsWhatIsReadOfItNotWhatIsThere() throws IOException {
    conf.set(InputKeys.LAYERS.name(), "11");
    conf.set(InputKeys.TOKENS.name(), "cls");
    maxSplit(2 * 768 * 4);
    assertThat(splits(new SaevInputFormat(), REALISTIC))
        .extracting(ExampleSplit::getLength)
        .containsExactly(2 * 3072L, 2 * 3072L, 3072L);
  }

  @Test
  void splitsBeginAtGroups() throws IOException {
    conf.set(InputKeys.GROUP.name(), "3");
    maxSplit(1);
    assertThat(splits(new SaevInputFormat(), REALISTIC))
        .extracting(ExampleSplit::first)
        .containsExactly(0L, 3L);
  }

  @Test
  void planningOpensNoDataFile() throws Exception {
    Path copy = InventedFiles.copy(SMALL, temporary.resolve(SMALL.getFileName()));
    maxSplit(1);
    List<InputSplit> splits = plan(new SaevInputFormat(), FaultyFileSystem.path(copy));
    assertThat(splits).hasSize(7);
    assertThat(FaultyFileSystem.opened()).containsExactlyInAnyOrder("metadata.json", "shards.json");
    // and reading opens those of its split alone
    Tasks.readAll(new SaevInputFormat(), splits.subList(4, 5), conf);
    assertThat(FaultyFileSystem.opened())
        .filteredOn(name -> name.startsWith("acts"))
        .containsExactly("acts000002.bin");
  }

  @Test
  void planningOfSafetensorsOpensOneHeader() throws Exception {
    Path folder = invented(sources().get(1));
    List<InputSplit> splits = plan(new SafetensorsInputFormat(), FaultyFileSystem.path(folder));
    assertThat(splits).hasSize(1);
    assertThat(FaultyFileSystem.opened()).hasSize(2);
    assertThat(FaultyFileSystem.opened().get(0)).isEqualTo("dataset_manifest.json");
    assertThat(FaultyFileSystem.opened().get(1)).startsWith("part-00000-");
  }

  @Test
  void splitsNameTheMachinesThatHoldThemButNoneOfAnObjectStore() throws Exception {
    Path copy = InventedFiles.copy(SMALL, temporary.resolve("copy"));
    conf.set(InputKeys.GROUP.name(), "3");
    maxSplit(1);
    List<InputSplit> splits = plan(new SaevInputFormat(), FaultyFileSystem.path(copy));
    // two examples of one file, one of the next
    assertThat(splits.get(0).getLocations())
        .containsExactly("host-of-acts000000.bin", "host-of-acts000001.bin");
    assertThat(splits.get(1).getLocations())
        .containsExactly("host-of-acts000002.bin", "host-of-acts000001.bin");
    FaultyFileSystem.makeBlocksVirtual();
    for (InputSplit split : plan(new SaevInputFormat(), FaultyFileSystem.path(copy))) {
      assertThat(split.getLocations()).isEmpty();
    }
  }

  @Test
  void largeDatasetsArePlannedFromTheirMetadataAlone() throws IOException {
    Path huge = Files.createDirectory(temporary.resolve("huge"));
    String metadata =
        Files.readString(REALISTIC.resolve("metadata.json"))
            .replace("\"n_imgs\": 5", "\"n_imgs\": 100000")
            .replace("\"max_patches_per_shard\": 200", "\"max_patches_per_shard\": 5000000");
    Files.writeString(huge.resolve("metadata.json"), metadata);
    for (int i = 0; i < 2; i++) {
      try (RandomAccessFile file =
          new RandomAccessFile(huge.resolve("acts00000" + i + ".bin").toFile(), "rw")) {
        file.setLength(50_000L * EXAMPLE_BYTES);
      }
    }
    maxSplit(16 << 20);
    List<ExampleSplit> splits = splits(new SaevInputFormat(), huge);
    assertThat(splits).hasSize(2 * 926);
    assertThat(splits.stream().mapToLong(ExampleSplit::count).sum()).isEqualTo(100_000);
    assertThat(splits).allMatch(split -> split.getLength() <= 16 << 20);
  }

  @Test
  void aStorageThatIsNotTheLocalDiskIsReadThroughHadoop() throws Exception {
    Path copy = InventedFiles.copy(SMALL, temporary.resolve(SMALL.getFileName()));
    List<Read> local = read(new SaevInputFormat(), SMALL);
    List<InputSplit> splits = plan(new SaevInputFormat(), FaultyFileSystem.path(copy));
    List<Read> remote = Tasks.readAll(new SaevInputFormat(), splits, conf);
    assertThat(remote).isEqualTo(local).hasSize(7);
  }

  @Test
  void progressGoesFromNothingToOne() throws Exception {
    List<ExampleSplit> splits = splits(new SaevInputFormat(), REALISTIC);
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    try (RecordReader<ActivationKey, ActivationWritable> reader =
        new SaevInputFormat().createRecordReader(splits.get(0), context)) {
      reader.initialize(splits.get(0), context);
      assertThat(reader.getProgress()).isZero();
      ActivationWritable value = reader.getCurrentValue();
      float last = 0;
      while (reader.nextKeyValue()) {
        assertThat(reader.getCurrentValue()).isSameAs(value);
        assertThat(reader.getProgress()).isBetween(last, 1f);
        last = reader.getProgress();
      }
      assertThat(reader.getProgress()).isEqualTo(1f, within(0f));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "saev.input.record; examples; saev.input.record is \"examples\" (expected example,"
            + " block or vector)",
        "saev.input.tokens; patches; saev.input.tokens is \"patches\": \"patches\" names no tokens (expected cls,"
            + " special, image, content or all)",
        "saev.input.order; shard; saev.input.order is \"shard\" (expected example or layer)",
        "saev.input.order; layer; saev.input.order is layer: records of whole examples cannot be read layer by layer",
        "saev.input.group; 0; saev.input.group is 0 (expected at least 1)",
        "saev.input.group; x; saev.input.group is \"x\" (expected at least 1)",
        "saev.input.layers; 13:21; saev.input.layers is \"13:21\": \"13:21\" is not a layer:"
            + " 13-21 includes 21, 13-20 does not (expected all, or layers and ranges of layers"
            + " such as 10,12-14)",
        "saev.input.layers; ''; saev.input.layers is empty (expected all, or layers",
        "saev.input.layers; 13,21,13; layer 13 is requested twice"
      })
  void aWrongValueIsAnErrorThatNamesItAndWhatWasExpected(String key, String value, String problem) {
    conf.set(key, value);
    assertThatThrownBy(() -> splits(new SaevInputFormat(), SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"13-21", "13,14"})
  void layersThatWereNotRecordedAreAnError(String layers) {
    conf.set(InputKeys.LAYERS.name(), layers);
    assertFails(DatasetError.NO_SUCH_LAYER, SMALL, () -> splits(new SaevInputFormat(), SMALL));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cls", "image"})
  void tokensThatWereNotStoredOrAreNotKnownAreAnError(String tokens) throws IOException {
    conf.set(InputKeys.TOKENS.name(), tokens);
    Path unknown = temporary.resolve("unknown");
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, Columns.ACTS, 3, Provenance.NONE), new LocalFolder(unknown));
    assertFails(
        DatasetError.UNKNOWN_CLS_TOKENS,
        unknown,
        () -> splits(new SafetensorsInputFormat(), unknown));

    Path other = Files.createDirectory(temporary.resolve("other"));
    boolean cls = tokens.equals("image");
    SaevMetadata metadata =
        SaevMetadata.create(
            ProtocolGeneration.V1_0,
            new Geometry(1, List.of(3), 1, 4),
            cls,
            "clip",
            "x",
            new byte[] {'{', '}'});
    InventedFiles.write(
        new SaevWritePlan(metadata, SaevWritePlan.Tail.EXACT, null), new LocalFolder(other));
    assertFails(DatasetError.NO_SUCH_TOKEN, other, () -> splits(new SaevInputFormat(), other));
  }

  @ParameterizedTest
  @CsvSource({"special, 0, 1", "content, 1, 9"})
  void tokensHaveTheNamesOfSaev2Too(String tokens, int first, int count) throws Exception {
    conf.set(InputKeys.TOKENS.name(), tokens);
    assertThat(read(new SaevInputFormat(), SMALL))
        .hasSize(7)
        .allMatch(record -> record.key().token() == first)
        .allMatch(record -> record.value().shape()[1] == count);
  }

  @Test
  void aJobReadsOneDataset() throws IOException {
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(SMALL.toUri()));
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(REALISTIC.toUri()));
    String paths = Arrays.toString(FileInputFormat.getInputPaths(job));
    assertFails(DatasetError.BAD_SELECTION, paths, () -> new SaevInputFormat().getSplits(job));
  }

  @Test
  void aDamagedDatasetFailsTheJobBeforeItStarts() throws IOException {
    Path copy = InventedFiles.copy(SMALL, temporary.resolve("damaged"));
    Path missing = copy.resolve("acts000001.bin");
    Files.delete(missing);
    assertFails(SaevError.MISSING_FILE, missing, () -> splits(new SaevInputFormat(), copy));
    assertFails(
        SaevError.MISSING_FILE,
        FaultyFileSystem.path(missing),
        () -> plan(new SaevInputFormat(), FaultyFileSystem.path(copy)));
  }

  @Test
  void aFileThatVanishesAfterPlanningIsAnErrorThatNamesIt() throws Exception {
    Path copy = InventedFiles.copy(SMALL, temporary.resolve("copy"));
    List<InputSplit> splits = plan(new SaevInputFormat(), FaultyFileSystem.path(copy));
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    try (RecordReader<ActivationKey, ActivationWritable> reader =
        new SaevInputFormat().createRecordReader(splits.get(0), context)) {
      reader.initialize(splits.get(0), context);
      Files.delete(copy.resolve("acts000000.bin"));
      assertFails(FileError.NOT_FOUND, "acts000000.bin", reader::nextKeyValue);
    }
  }

  @Test
  void aDatasetWithoutExamplesHasNoSplits() throws IOException {
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    Files.writeString(
        empty.resolve("metadata.json"),
        Files.readString(SMALL.resolve("metadata.json")).replace("\"n_imgs\": 7", "\"n_imgs\": 0"));
    assertThat(splits(new SaevInputFormat(), empty)).isEmpty();
  }

  private void maxSplit(long bytes) {
    FileInputFormat.setMaxInputSplitSize(job, bytes);
  }

  private Path invented(Source source) throws IOException {
    Path folder = temporary.resolve(source.name());
    byte[] metadata = Files.readAllBytes(SMALL.resolve("metadata.json"));
    Provenance provenance =
        Provenance.NONE.with(
            SaevMetadata.DOCUMENT, new String(metadata, java.nio.charset.StandardCharsets.UTF_8));
    if (source.format() instanceof SameDiffInputFormat) {
      InventedFiles.write(container(source.name(), provenance), folder);
      return folder;
    }
    InventedFiles.write(
        source.columns() == null
            ? new SaevWritePlan(SaevMetadata.parse("m", metadata), SaevWritePlan.Tail.FULL, null)
            : WrittenBatches.plan(GEOMETRY, source.columns(), 2, provenance),
        new LocalFolder(folder));
    return folder;
  }

  private static DatasetWrite container(String name, Provenance provenance) {
    WrittenArrays arrays = new WrittenArrays(GEOMETRY.table(), 2, provenance, null, null);
    return name.equals("SDNB")
        ? new SdnbWritePlan(arrays, "acts").write(SampleMetadata.NONE)
        : new SdzWritePlan(arrays, "acts", 5000, false, 1).write(SampleMetadata.NONE);
  }

  private List<Read> read(ActivationInputFormat format, Path path)
      throws IOException, InterruptedException {
    return Tasks.readAll(format, List.copyOf(splits(format, path)), conf);
  }

  private List<ExampleSplit> splits(ActivationInputFormat format, Path path) throws IOException {
    return plan(format, new org.apache.hadoop.fs.Path(path.toUri())).stream()
        .map(ExampleSplit.class::cast)
        .toList();
  }

  private List<InputSplit> plan(ActivationInputFormat format, org.apache.hadoop.fs.Path path)
      throws IOException {
    FileInputFormat.setInputPaths(job, path);
    return format.getSplits(job);
  }
}
