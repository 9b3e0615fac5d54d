package org.saevhadoop.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Main;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.SaevOutputFormat;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;
import org.saevhadoop.s3.HaltingFileSystem.Moment;

/** Conversions to and from S3, with each committer of S3A, and with processes that die. */
class ObjectStoreIT {
  /** Examples of 1 MiB; three of the four files have two parts. */
  private static final int EXAMPLES = 20;

  private static final int EXAMPLES_PER_SHARD = 4;
  private static final String MARKER = "_saev-hadoop-unfinished";
  private static final Map<String, String> TABLE = new TreeMap<>();

  @TempDir static Path folder;
  private static ObjectServer server;
  private static Path source;
  private static String digest;

  @BeforeAll
  static void start() throws Exception {
    server = new ObjectServer();
    source = dataset(folder.resolve("saev"));
    digest = run("digest", source).line();
    server.beginUpload("sibling/out-of-another/file");
  }

  @AfterAll
  static void stop() throws Exception {
    StringBuilder table =
        new StringBuilder("| committer | fault | then | objects copied | result |\n");
    table.append("|---|---|---|---|---|\n");
    TABLE.values().forEach(row -> table.append(row).append('\n'));
    Files.writeString(Path.of("target", "s3-table.md"), table);
    assertThat(server.uploads("sibling/")).as("uploads of others stay").hasSize(1);
    server.stop();
  }

  static Stream<Arguments> faults() {
    return Stream.of("magic", "directory", "file")
        .flatMap(
            committer ->
                Stream.of(Moment.values())
                    .flatMap(
                        moment ->
                            Stream.of(true, false)
                                .filter(resume -> resume || committer.equals("magic"))
                                .map(resume -> Arguments.of(committer, moment, resume))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"magic", "directory", "file"})
  void aConversionWritesTheDatasetWhereItBelongs(String committer) throws Exception {
    String prefix = committer + "/none/out";
    long copied = server.copies();
    assertThat(convert(committer, source, prefix).line()).endsWith(url(prefix));
    copied = server.copies() - copied;
    if (committer.equals("file")) {
      assertThat(copied).isPositive();
    } else {
      assertThat(copied).isZero();
    }
    assertDataset(prefix);
    row(committer, "none", "", copied, "same digest");
    assertThat(run("verify", "--structure", url(prefix)).exitCode()).isZero();
    String back =
        run("convert", url(prefix), folder.resolve("back-" + committer), "--to", "saev").line();
    assertThat(run("digest", back).line()).isEqualTo(digest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"magic", "directory", "file"})
  void verificationReadsThroughTheMarker(String committer) throws Exception {
    String prefix = committer + "/verified/out";
    Command verified = convert(committer, source, prefix, "--verify");
    assertThat(verified.line()).endsWith(url(prefix));
    assertThat(verified.err()).contains("verified");
    assertDataset(prefix);
  }

  @ParameterizedTest
  @ValueSource(strings = {"magic", "directory", "file"})
  void pickledShardsAreWrittenAndReadOnS3(String committer) throws Exception {
    long copied = server.copies();
    String shards = url(committer + "/streams/pickle");
    String option = "-Dfs.s3a.committer.name=" + committer;
    String staging = "-Dfs.s3a.committer.staging.tmp.path=" + folder.resolve("staging");
    run(
            "convert",
            source,
            shards,
            "--to",
            "pickle",
            "--uncompressed",
            "--shard-mb",
            10,
            option,
            staging)
        .line();
    copied = server.copies() - copied;
    row(committer, "none, SAEV to pickled shards", "", copied, "same digest");
    String names = "--family=clip --ckpt=test --tokens-per-shard=1024";
    copied = server.copies();
    List<Object> words =
        new ArrayList<>(
            List.of("convert", shards, url(committer + "/streams/from"), option, staging));
    words.addAll(List.of("--to", "saev"));
    words.addAll(List.of(names.split(" ")));
    String saev = run(words.toArray()).line();
    copied = server.copies() - copied;
    assertThat(run("digest", saev).line()).isEqualTo(digest);
    row(committer, "none, pickled shards to SAEV", "", copied, "same digest");
    assertThat(server.objects(committer + "/streams/"))
        .noneMatch(name -> name.contains("saev-hadoop") || name.contains("__magic"));
    assertThat(server.uploads(committer + "/streams/")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theNextRunRemovesOrPublishesWhatADeadOneHasLeft(
      String committer, Moment moment, boolean resume) throws Exception {
    String prefix = "%s/%s-%s/out".formatted(committer, moment, resume);
    assertThat(killed(committer, prefix, moment)).isEqualTo(HaltingFileSystem.EXIT_CODE);
    Command refused = run("inspect", url(prefix));
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("is being written by run");
    assertThat(server.objects(prefix + "/")).contains(MARKER);
    assertThat(server.objects(prefix + "/").stream().filter(ObjectStoreIT::isDocumentOrData))
        .as("what other readers see")
        .hasSize(
            switch (moment) {
              case WHILE_TASKS_COMMIT, BEFORE_THE_COMMIT -> 0;
              case IN_THE_COMMIT -> 5;
              case AT_THE_END -> 6;
            });
    Command again;
    long copied = server.copies();
    if (resume) {
      again = convert(committer, source, prefix, "--resume");
    } else {
      TimeUnit.SECONDS.sleep(4); // until the lock is void
      again = convert(committer, source, prefix);
    }
    copied = server.copies() - copied;
    again.line();
    boolean published = resume && moment == Moment.AT_THE_END;
    if (published) {
      assertThat(again.err()).contains("had completed the dataset");
    } else {
      assertThat(again.err()).containsPattern("removed \\d+ files and \\d+ pending uploads");
    }
    assertDataset(prefix);
    row(
        committer,
        "killed " + moment.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        resume ? "`--resume`" : "again",
        copied,
        "same digest; " + (published ? "published what was there" : removed(again.err())));
  }

  private static boolean isDocumentOrData(String name) {
    return name.indexOf('/') < 0 && !name.isEmpty() && !name.equals(MARKER);
  }

  private static String removed(String err) {
    return err.lines()
        .filter(line -> line.contains("removed "))
        .map(line -> line.replaceAll(".*(removed \\d+ files and \\d+ pending uploads).*", "$1"))
        .collect(Collectors.joining());
  }

  /** As the local runner repeats no task, the attempts are run by hand. */
  @ParameterizedTest
  @ValueSource(strings = {"magic", "directory", "file"})
  void theFilesOfAnAttemptThatDiedAreNotThere(String committer) throws Exception {
    String place = url(committer + "/attempt/out");
    Configuration conf = server.conf();
    conf.set("fs.s3a.committer.name", committer);
    conf.set("fs.s3a.committer.staging.tmp.path", folder.resolve("staging").toString());
    SaevOutputFormat.setMetadata(conf, Files.readAllBytes(source.resolve("metadata.json")));
    ConfSettings.set(conf, OutputKeys.PUBLISH, place);
    ConfSettings.set(conf, OutputKeys.DIRECT, true);
    RunRecord record = RunRecord.of(place, place, "source", "me", "state", Map.of());
    ConfSettings.set(conf, OutputKeys.RUN, record.id());
    long copied = server.copies();
    StoragePath path = RunPaths.of(HadoopPath.parse(place, conf));
    try (RunFolder run =
        RunFolder.claim(
            path, record, job -> false, Leftovers.REMOVED, HadoopRunStorage.of(path, conf))) {
      run.begin();
      SaevOutputFormat format = new SaevOutputFormat();
      TaskAttemptContext job = attempt(conf, 0, 0);
      format.getOutputCommitter(job).setupJob(job);
      write(format, attempt(conf, 0, 0), 0, 2 * EXAMPLES_PER_SHARD);
      for (int task = 0; task < 2; task++) {
        TaskAttemptContext attempt = attempt(conf, task, 1 - task);
        write(format, attempt, task == 0 ? 0 : 12, task == 0 ? 12 : EXAMPLES);
        assertThat(format.getOutputCommitter(attempt).needsTaskCommit(attempt)).isTrue();
        format.getOutputCommitter(attempt).commitTask(attempt);
      }
      format.getOutputCommitter(job).commitJob(job);
      assertThat(run.isPublished()).isTrue();
    }
    assertThat(server.objects(committer + "/attempt/out/")).hasSize(7);
    assertThat(server.uploads(committer + "/attempt/")).isEmpty();
    assertThat(run("digest", place).line()).isEqualTo(digest);
    row(committer, "an attempt of a task died", "", server.copies() - copied, "same digest");
  }

  private static TaskAttemptContext attempt(Configuration conf, int task, int attempt) {
    return new TaskAttemptContextImpl(
        conf, new TaskAttemptID("test", 1, TaskType.MAP, task, attempt));
  }

  private static void write(SaevOutputFormat format, TaskAttemptContext task, int from, int to)
      throws Exception {
    format.getOutputCommitter(task).setupTask(task);
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(task);
    for (int example = from; example < to; example++) {
      byte[] shard =
          Files.readAllBytes(
              source.resolve("acts%06d.bin".formatted(example / EXAMPLES_PER_SHARD)));
      ByteBuffer block = ByteBuffer.wrap(shard, (example % EXAMPLES_PER_SHARD) << 20, 1 << 20);
      writer.write(
          new ActivationKey(example, ActivationKey.ALL, 0),
          new ActivationWritable(new int[] {4, 64, 1024}, block.slice()));
    }
    writer.close(task);
  }

  @Test
  void anotherRunIsRefusedWhileOneIsAtWork() throws Exception {
    String prefix = "magic/two/out";
    killed("magic", prefix, Moment.WHILE_TASKS_COMMIT, "-Dsaev.convert.lock.timeout=600");
    Command refused =
        run(
            "convert",
            source,
            url(prefix),
            "--to",
            "safetensors",
            "-Dsaev.convert.lock.timeout=600");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("another run is writing here");
    assertThat(server.objects("magic/two/out/")).contains(MARKER);
  }

  @Test
  void theDatasetOfARunWhoseFolderIsGoneIsNotTouched() throws Exception {
    String prefix = "magic/foreign/out";
    killed("magic", prefix, Moment.IN_THE_COMMIT);
    for (String name : server.objects("magic/foreign/_out.saev-hadoop")) {
      server.delete("magic/foreign/_out.saev-hadoop" + name);
    }
    List<String> before = server.objects(prefix);
    Command refused = convert("magic", source, prefix);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains(MARKER + ": is the marker of run", "is gone");
    assertThat(server.objects(prefix)).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void aDatasetIsReplacedByACopy() throws Exception {
    String prefix = "magic/replaced/out";
    convert("magic", source, prefix).line();
    Command replaced = convert("magic", source, prefix, "--overwrite");
    replaced.line();
    assertThat(replaced.err()).contains("copies files to rename them");
    assertDataset(prefix);
    assertThat(convert("magic", source, prefix).err()).contains("already exists");
  }

  private static void assertDataset(String prefix) throws IOException {
    List<String> names = server.objects(prefix + "/");
    assertThat(names).hasSize(6).contains("dataset_manifest.json").noneMatch(MARKER::equals);
    String beside = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    // S3A keeps the folder above as an object of its own
    assertThat(server.objects(beside)).allMatch(name -> name.isEmpty() || name.startsWith("out/"));
    assertThat(server.uploads(beside)).isEmpty();
    assertThat(run("digest", url(prefix)).line()).isEqualTo(digest);
  }

  private static void row(String committer, String fault, String then, long copied, String result) {
    TABLE.put(
        committer + fault + then,
        "| %s | %s | %s | %d | %s |".formatted(committer, fault, then, copied, result));
  }

  private static String url(String prefix) {
    return "s3a://" + ObjectServer.BUCKET + "/" + prefix;
  }

  private static List<String> words(
      String committer, Path source, String prefix, String... options) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("convert", source.toString(), url(prefix), "--to", "safetensors"));
    words.addAll(List.of("--columns", "acts", "--batch-size", String.valueOf(EXAMPLES_PER_SHARD)));
    if (!committer.equals("magic")) { // the default
      words.add("-Dfs.s3a.committer.name=" + committer);
    }
    words.add("-Dfs.s3a.committer.staging.tmp.path=" + folder.resolve("staging"));
    words.add("-Dsaev.convert.lock.timeout=3");
    words.add("-Dmapreduce.input.fileinputformat.split.maxsize=5000000"); // a task for each file
    words.addAll(List.of(options));
    return words;
  }

  private static Command convert(String committer, Path source, String prefix, String... options) {
    return run(words(committer, source, prefix, options).toArray());
  }

  private static Command run(Object... words) {
    return Command.run(server.conf(), words);
  }

  /** Converts in a process that dies at a moment, and returns its exit code. */
  private static int killed(String committer, String prefix, Moment moment, String... options)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("-D" + HaltingFileSystem.MOMENT + "=" + moment);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(words(committer, source, prefix, options));
    command.addAll(server.options());
    command.add("-Dfs.s3a.impl=" + HaltingFileSystem.class.getName());
    Path log = folder.resolve("killed.log");
    Process process =
        new ProcessBuilder(command)
            .redirectError(log.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(log))
        .isEqualTo(HaltingFileSystem.EXIT_CODE);
    return process.exitValue();
  }

  /** Writes a SAEV dataset of random values: four layers of 64 tokens of 1024 dims. */
  static Path dataset(Path saev) throws IOException {
    Files.createDirectories(saev);
    Random random = new Random(1);
    List<String> shards = new ArrayList<>();
    for (int i = 0; i < EXAMPLES / EXAMPLES_PER_SHARD; i++) {
      byte[] bytes = new byte[EXAMPLES_PER_SHARD << 20];
      random.nextBytes(bytes);
      for (int high = 3; high < bytes.length; high += 4) {
        bytes[high] &= 0x3f; // no NaN
      }
      String name = "acts%06d.bin".formatted(i);
      Files.write(saev.resolve(name), bytes);
      shards.add("  {\"name\": \"%s\", \"n_imgs\": %d}".formatted(name, EXAMPLES_PER_SHARD));
    }
    Files.writeString(saev.resolve("shards.json"), "[\n" + String.join(",\n", shards) + "\n]\n");
    Files.writeString(
        saev.resolve("metadata.json"),
        """
        {"vit_family": "clip", "vit_ckpt": "test", "layers": [1, 2, 3, 4], "n_patches_per_img": 63,
         "cls_token": true, "d_vit": 1024, "n_imgs": %d, "max_patches_per_shard": 1024,
         "data": {"__class__": "Test"}, "dtype": "float32", "protocol": "1.0.0"}
        """
            .formatted(EXAMPLES));
    return saev;
  }
}
