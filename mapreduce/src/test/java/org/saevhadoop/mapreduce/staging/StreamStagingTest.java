package org.saevhadoop.mapreduce.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.PickleKeys;
import org.saevhadoop.format.pickleshards.TestShards;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.mapreduce.Tasks;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.OutputKeys.Sync;

/** Pickled shards, staged and read by a job. */
class StreamStagingTest {
  private static final int SMALL_FILES = 16 << 10;

  @TempDir Path folder;
  private final Configuration conf = new Configuration(false);
  private final DatasetFormat pickle = DatasetFormats.registry().named("pickle").orElseThrow();
  private final TasksByHand tasks = new TasksByHand(conf);
  private final List<String> messages = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private Path source;
  private int staged;
  private boolean resumed;

  @BeforeEach
  void writeShards() throws IOException {
    source = folder.resolve("source of%20 shards");
    TestShards.write(source.resolve("host_0/shard_0001.pkl.gz"), 4, 2);
    TestShards.write(source.resolve("host_1/shard_0001.pkl.gz"), 9, 8, 7);
    TestShards.write(source.resolve("host_2/shard_0001.pkl"), 20);
    TestShards.write(source.resolve("host_3/shard_0001.pkl.gz"), 21, 22);
  }

  @Test
  void everythingIsReadOnceAndCanThenBeReadAsAnyDataset() throws Exception {
    ActivationDataset dataset = stage(Settings.NONE).requireActivations();
    assertThat(dataset.geometry().examples()).isEqualTo(8);
    assertThat(dataset.geometry().layers()).containsExactly(3, 7);
    assertThat(tasks.splits)
        .containsExactly(
            List.of(
                "host_0/shard_0001.pkl.gz",
                "host_1/shard_0001.pkl.gz",
                "host_2/shard_0001.pkl",
                "host_3/shard_0001.pkl.gz"));
    assertThat(messages)
        .singleElement()
        .asString()
        .matches(
            "unpack: 4 shards, [0-9.]+ KiB; each is read once, its blocks wait in "
                + folder.resolve("staged 1"));
    assertThat(records(Settings.NONE))
        .containsExactlyElementsOf(expected(List.of(4, 2, 9, 8, 7, 20, 21, 22), 3, 7));
  }

  @Test
  void ofLayersThatAreAskedForOnlyTheBlocksAreStagedInOnePass() throws Exception {
    Settings asked = asked("7", "all", "-1", "all");
    stage(asked);
    assertThat(tasks.splits).hasSize(1);
    assertThat(stagedBytes()).isLessThan(7 * TestShards.BLOCK_BYTES + SMALL_FILES);
    assertThat(records(asked))
        .containsExactlyElementsOf(expected(List.of(4, 2, 9, 8, 7, 20, 21, 22), 7));
  }

  @Test
  void ofExamplesThatAreAskedForOnlyTheirShardsAreReadAgain() throws Exception {
    Settings asked = asked("all", "6:8,1", "-1", "all");
    assertThat(stage(asked).table().examples()).isEqualTo(8);
    assertThat(tasks.splits.get(0)).hasSize(4);
    assertThat(tasks.splits.get(1))
        .containsExactly("host_0/shard_0001.pkl.gz", "host_3/shard_0001.pkl.gz");
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0))
        .matches("unpack: 4 shards, [0-9.]+ KiB; each is read once, to number the examples");
    assertThat(messages.get(1))
        .matches(
            "unpack: 2 of 4 shards, [0-9.]+ KiB; read again for the requested samples, whose blocks"
                + " wait in "
                + folder.resolve("staged 1"));
    assertThat(stagedBytes()).isLessThan(3 * 2 * TestShards.BLOCK_BYTES + SMALL_FILES);
    assertThat(records(asked)).containsExactlyElementsOf(expected(List.of(21, 22, 2), 3, 7));
  }

  @Test
  void smallShardsOfADirectoryAreStagedTogether() throws Exception {
    Files.move(
        source.resolve("host_1/shard_0001.pkl.gz"), source.resolve("host_0/shard_0002.pkl.gz"));
    Settings asked = asked("all", "3,6:8", "-1", "all");
    stage(asked);
    assertThat(tasks.splits)
        .containsExactly(
            List.of(
                "host_0/shard_0001.pkl.gz and host_0/shard_0002.pkl.gz",
                "host_2/shard_0001.pkl",
                "host_3/shard_0001.pkl.gz"),
            List.of(
                "host_0/shard_0001.pkl.gz and host_0/shard_0002.pkl.gz",
                "host_3/shard_0001.pkl.gz"));
    assertThat(messages.get(1)).startsWith("unpack: 3 of 4 shards, ");
    assertThat(stagedBytes()).isLessThan(3 * 2 * TestShards.BLOCK_BYTES + SMALL_FILES);
    assertThat(records(asked)).containsExactlyElementsOf(expected(List.of(8, 21, 22), 3, 7));
  }

  @Test
  void shardsThatAreNotCompressedAreNotReadAgain() throws Exception {
    Settings asked = asked("3", "5", "-1", "all");
    stage(asked);
    assertThat(tasks.splits).hasSize(1);
    assertThat(records(asked)).containsExactlyElementsOf(expected(List.of(20), 3));
  }

  @Test
  void aLimitAndTokensAreKeptToTheirBytes() throws Exception {
    Settings asked = asked("7", "all", "3", "1:3");
    stage(asked);
    assertThat(stagedBytes()).isLessThan(3 * TestShards.BLOCK_BYTES / 2 + SMALL_FILES);
    List<String> some =
        expected(List.of(4, 2, 9), 7).stream()
            .filter(Predicate.not(record -> record.contains(" 0: ") || record.contains(" 3: ")))
            .toList();
    assertThat(records(asked)).containsExactlyElementsOf(some);
  }

  @Test
  void settingsOfTheFormatTravelToTheTasks() throws Exception {
    Settings halves = Settings.NONE.with(PickleKeys.JOIN_HALVES, true);
    Files.delete(source.resolve("host_2/shard_0001.pkl"));
    TestShards.write(source.resolve("host_1/shard_0001.pkl.gz"), 4, 2);
    TestShards.write(source.resolve("host_2/shard_0001.pkl.gz"), 9, 8, 7);
    TestShards.write(source.resolve("host_3/shard_0001.pkl.gz"), 9, 8, 7);
    ActivationDataset dataset = stage(halves).requireActivations();
    assertThat(dataset.geometry().dim()).isEqualTo(2 * TestShards.DIM);
    assertThat(tasks.splits.get(0)).hasSize(2).allMatch(split -> split.contains(" and "));
  }

  @Test
  void oneShardIsADatasetToo() throws Exception {
    source = source.resolve("host_1/shard_0001.pkl.gz");
    stage(asked("all", "-1", "-1", "all"));
    assertThat(records(asked("all", "-1", "-1", "all")))
        .containsExactlyElementsOf(
            expected(List.of(9, 8, 7), 3, 7).stream()
                .filter(record -> record.startsWith("2 "))
                .toList());
  }

  @Test
  void whatTheManifestHasOfTheExtractionTravels() throws Exception {
    Files.writeString(
        source.resolve("host_1/metadata.json"),
        """
        {"version": "1.0", "total_shards": 1, "shards": [],
         "extraction_config": {"model_name": "m", "model_architecture": "qwen"}}
        """);
    ActivationDataset dataset = stage(Settings.NONE).requireActivations();
    assertThat(DatasetFormats.registry().model(dataset.activations().provenance()).family())
        .isEqualTo("qwen");
    assertThat(dataset.warnings()).isNotEmpty();
  }

  @Test
  void aShardOfAnotherChecksumThanItsManifestHasIsRefused() throws Exception {
    Files.writeString(
        source.resolve("host_0/metadata.json"),
        """
        {"version": "1.0", "total_shards": 1, "shards": [
         {"filename": "shard_0001.pkl.gz", "num_samples": 2, "checksum": "sha256:%s"}]}
        """
            .formatted("0".repeat(64)));
    // the checksum it has depends on the JDK's compressor
    assertThat(
            assertFailsWithAnyText(
                PickleError.SIZE_MISMATCH,
                source.resolve("host_0/shard_0001.pkl.gz"),
                () -> stage(Settings.NONE)))
        .hasMessageContaining("shard_0001.pkl.gz: SIZE_MISMATCH: has the sha256 ");
  }

  @Test
  void aResumedStagingReadsOnlyPartsThatAreNotDone() throws Exception {
    Path last = source.resolve("host_3/shard_0001.pkl.gz");
    byte[] whole = Files.readAllBytes(last);
    Files.write(last, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> stage(Settings.NONE)).isInstanceOf(IOException.class);
    Files.write(last, whole);
    resumed = true;
    stage(Settings.NONE);
    assertThat(tasks.splits.get(1)).containsExactly("host_3/shard_0001.pkl.gz");
    assertThat(messages.get(1)).startsWith("unpack: 1 of 4 shards, ");
    stage(Settings.NONE);
    assertThat(tasks.splits).hasSize(2);
    assertThat(messages.get(2)).startsWith("unpack: 0 of 4 shards, 0 B; ");
    assertThat(records(Settings.NONE))
        .containsExactlyElementsOf(expected(List.of(4, 2, 9, 8, 7, 20, 21, 22), 3, 7));
  }

  /** The shards behind it would be the parts that others were staged as. */
  @Test
  void aResumedStagingWithoutAShardIsAnError() throws Exception {
    stage(Settings.NONE);
    Path first = source.resolve("host_0/shard_0001.pkl.gz");
    byte[] whole = Files.readAllBytes(first);
    Files.delete(first);
    resumed = true;
    assertFails(FileError.READ_FAILED, source, () -> stage(Settings.NONE));
    Files.write(first, whole);
    stage(Settings.NONE);
    assertThat(tasks.splits).hasSize(1);
  }

  @Test
  void aResumedStagingOfSelectedExamplesNumbersThemOnce() throws Exception {
    Settings asked = asked("all", "6:8,1", "-1", "all");
    stage(asked);
    Files.delete(folder.resolve("staged 1/done-00003"));
    resumed = true;
    stage(asked);
    assertThat(tasks.splits).hasSize(3);
    assertThat(tasks.splits.get(2)).containsExactly("host_3/shard_0001.pkl.gz");
    assertThat(records(asked)).containsExactlyElementsOf(expected(List.of(21, 22, 2), 3, 7));
  }

  @Test
  void aListOfSelectedPartsThatWasNotWrittenToItsEndIsIgnored() throws Exception {
    assertThatThrownBy(() -> stage(asked("all", "8", "-1", "all")))
        .isInstanceOf(FormatException.class);
    Files.writeString(folder.resolve("staged 1/done-chosen"), "0");
    Files.delete(folder.resolve("staged 1/done-00001"));
    resumed = true;
    stage(asked("all", "6:8,1", "-1", "all"));
    assertThat(tasks.splits.get(1)).containsExactly("host_1/shard_0001.pkl.gz");
    assertThat(tasks.splits.get(2))
        .containsExactly("host_0/shard_0001.pkl.gz", "host_3/shard_0001.pkl.gz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "6:8,1"})
  void aComparisonReadsAllShardsAgainAndChangesNothing(String examples) throws Exception {
    Settings asked = asked("all", examples, "-1", "all");
    stage(asked);
    long bytes = stagedBytes();
    int jobs = tasks.splits.size();
    compare(asked);
    assertThat(tasks.splits.subList(jobs, tasks.splits.size()).stream().mapToInt(List::size).sum())
        .isEqualTo(4);
    assertThat(stagedBytes()).isEqualTo(bytes);
    assertThat(records(asked)).hasSameSizeAs(expected(idsOf(examples), 3, 7));
  }

  private static List<Integer> idsOf(String examples) {
    return examples.equals("all") ? List.of(4, 2, 9, 8, 7, 20, 21, 22) : List.of(21, 22, 2);
  }

  @Test
  void aPartThatTheSourceDoesNotGiveIsForgotten() throws Exception {
    stage(Settings.NONE);
    TestShards.write(source.resolve("host_1/shard_0001.pkl.gz"), 9, 8, 6);
    assertThatThrownBy(() -> compare(Settings.NONE))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("staged 1/blocks-00001")
        .hasMessageEndingWith("differs from the data that a second read of the source returned");
    resumed = true;
    stage(Settings.NONE);
    assertThat(tasks.splits.get(2)).containsExactly("host_1/shard_0001.pkl.gz");
  }

  /** Not every stream can be catalogued, and the reader of the file reports the damage. */
  @Test
  void aPartThatLacksAFileIsNotComparedAsACatalogue() throws Exception {
    stage(Settings.NONE);
    Files.delete(folder.resolve("staged 1/blocks-00001"));
    compare(Settings.NONE);
    assertThat(folder.resolve("staged 1/done-00001")).exists();
  }

  @Test
  void examplesThatThereAreNotAreAnErrorBeforeTheSecondPass() {
    assertFails(DatasetError.BAD_SELECTION, source, () -> stage(asked("all", "8", "-1", "all")));
    assertThat(tasks.splits).hasSize(1);
  }

  @Test
  void aJobWithoutASourceCannotReadWhatWasStaged() {
    assertThatThrownBy(
            () -> new DatasetInputFormat().open(new org.apache.hadoop.fs.Path("/tmp"), conf))
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("no source is set");
  }

  private static Settings asked(String layers, String examples, String limit, String tokens) {
    return Settings.NONE
        .withText(InputKeys.LAYERS, layers, "--layers")
        .withText(InputKeys.EXAMPLES, examples, "--examples")
        .withText(InputKeys.LIMIT, limit, "--limit")
        .withText(InputKeys.TOKENS, tokens, "--tokens");
  }

  private TableDataset stage(Settings settings) throws Exception {
    InputSpec spec = InputSpec.of(settings, pickle.readingKeys());
    staged += resumed ? 0 : 1;
    return staging().stage(spec.format(), spec.projection());
  }

  private void compare(Settings settings) throws Exception {
    InputSpec spec = InputSpec.of(settings, pickle.readingKeys());
    staging().compare(spec.format(), spec.projection());
  }

  private StreamStaging staging() throws IOException {
    Path target = Files.createDirectories(folder.resolve("staged " + staged));
    return new StreamStaging(
        pickle,
        new LocalPath(source),
        new LocalPath(target),
        new LocalRunStorage(false),
        Sync.NEVER,
        tasks,
        messages::add,
        warnings::add);
  }

  private long stagedBytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("staged " + staged))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** The vectors that a job reads of what was staged last. */
  private List<String> records(Settings settings) throws Exception {
    String path = folder.resolve("staged " + staged).toString();
    Configuration job = new Configuration(conf);
    InputSpec.of(settings.withText(InputKeys.RECORD, "vector", "record"), List.of())
        .with(new SourceReference(path, pickle.getClass().getName(), true))
        .toConf(job);
    return Tasks.readAll(new DatasetInputFormat(), Path.of(path), job).stream()
        .map(read -> record(read.key(), read.value().toFloats()))
        .toList();
  }

  private static String record(ActivationKey key, float[] values) {
    return record(key.example(), key.layer(), key.token(), values[0], values[255]);
  }

  private static String record(long example, int layer, int token, float first, float last) {
    return "%d %d %d: %s to %s".formatted(example, layer, token, first, last);
  }

  /** The same of samples, as their stored numbers and ids say. */
  private static List<String> expected(List<Integer> ids, int... layers) {
    List<Integer> stored = List.of(4, 2, 9, 8, 7, 20, 21, 22);
    List<String> records = new ArrayList<>();
    for (int id : ids) {
      for (int layer : layers) {
        for (int token = 0; token < TestShards.TOKENS; token++) {
          float first = TestShards.value(id, layer, token, 0);
          float last = TestShards.value(id, layer, token, TestShards.DIM - 1);
          int example = ids.size() == 3 && ids.get(0) == 9 ? ids.indexOf(id) : stored.indexOf(id);
          records.add(record(example, layer, token, first, last));
        }
      }
    }
    return records;
  }
}
