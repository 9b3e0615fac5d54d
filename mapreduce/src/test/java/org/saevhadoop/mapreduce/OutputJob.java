package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** Jobs that write datasets, run task by task in this process. */
abstract class OutputJob {
  /** What the fixture's metadata says: shards of two examples, the fourth of one. */
  static final Geometry GEOMETRY = new Geometry(7, List.of(13, 21, 23), 10, 16);

  static final Path FIXTURE =
      Corpus.checkout()
          .resolve("fixtures/saev")
          .resolve("213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b");

  static final String[] SHARDS = {
    "acts000000.bin", "acts000001.bin", "acts000002.bin", "acts000003.bin"
  };

  static final String OLD = "old.safetensors";

  @TempDir Path temporary;
  final SaevOutputFormat saev = new SaevOutputFormat();
  final SafetensorsOutputFormat safetensors = new SafetensorsOutputFormat();
  Job job;
  Configuration conf;
  Path output;
  byte[] metadata;

  @BeforeEach
  void configure() throws IOException {
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    FaultyFileSystem.register(conf);
    output = temporary.resolve("out");
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    metadata = Files.readAllBytes(FIXTURE.resolve("metadata.json"));
    SaevOutputFormat.setMetadata(conf, metadata);
  }

  /** A copy of the fixture with labels, which the job is to write; returns the labels. */
  byte[] labelled(String name) throws IOException {
    Path source = InventedFiles.copy(FIXTURE, temporary.resolve(name));
    byte[] labels = new InventedDataset(GEOMETRY, false, 7).withLabels(9).labels(0, 7);
    Files.write(source.resolve("labels.bin"), labels);
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(source.toUri()), SaevInputFormat.class);
    return labels;
  }

  static byte[] labels(ActivationDataset dataset) throws IOException {
    try (PatchLabels labels = dataset.openLabels()) {
      ByteBuffer found = ByteBuffer.allocate(63);
      labels.read(0, found);
      return found.array();
    }
  }

  /** Writes a dataset of one file. */
  static void oldDataset(Path folder) throws IOException {
    String header =
        "{\"__metadata__\":{\"saev.examples\":\"1\",\"saev.first_example\":\"0\"},"
            + "\"acts\":{\"dtype\":\"F32\",\"shape\":[1,2,3],\"data_offsets\":[0,24]}}";
    ByteBuffer file = ByteBuffer.allocate(8 + header.length() + 24).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length()).put(header.getBytes(StandardCharsets.US_ASCII));
    Files.createDirectory(folder);
    Files.write(folder.resolve(OLD), file.array());
  }

  Path publishTo(String name) {
    Path place = temporary.resolve(name);
    conf.set(OutputKeys.PUBLISH.name(), place.toUri().toString().replaceFirst("/$", ""));
    return place;
  }

  Path onGuardedStorage() {
    FileOutputFormat.setOutputPath(job, FaultyFileSystem.path(output));
    Path place = temporary.resolve("published");
    conf.set(OutputKeys.PUBLISH.name(), FaultyFileSystem.path(place).toString());
    return place;
  }

  OutputCommitter finishedTasks() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, true);
    commitTask(saev, task);
    return committer;
  }

  void write(ActivationOutputFormat format, boolean wholeExamples) throws Exception {
    OutputCommitter committer = setUp(format);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(format, task, 0, 7, wholeExamples);
    commitTask(format, task);
    committer.commitJob(job(conf));
  }

  OutputCommitter setUp(ActivationOutputFormat format) throws IOException {
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    OutputCommitter committer = format.getOutputCommitter(context);
    committer.setupJob(job(conf));
    return committer;
  }

  static void writeExamples(
      ActivationOutputFormat format, TaskAttemptContext task, long from, long to, boolean whole)
      throws IOException, InterruptedException {
    format.getOutputCommitter(task).setupTask(task);
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(task);
    for (long example = from; example < to; example++) {
      if (whole) {
        writer.write(key(example), example(example));
      } else {
        for (int layer = 0; layer < 3; layer++) {
          writer.write(key(example, layer), block(example, layer));
        }
      }
    }
    writer.close(task);
  }

  static void commitTask(ActivationOutputFormat format, TaskAttemptContext task)
      throws IOException {
    OutputCommitter committer = format.getOutputCommitter(task);
    assertThat(committer.needsTaskCommit(task)).isTrue();
    committer.commitTask(task);
  }

  static JobContext job(Configuration conf) {
    return Tasks.attempt(conf, 0, 0);
  }

  static ActivationKey key(long example) {
    return new ActivationKey(example, ActivationKey.ALL, 0);
  }

  static ActivationKey key(long example, int layerIndex) {
    return new ActivationKey(example, GEOMETRY.layers().get(layerIndex), 0);
  }

  static ActivationWritable example(long example) {
    return new ActivationWritable(new int[] {3, 10, 16}, InventedFiles.example(GEOMETRY, example));
  }

  static ActivationWritable block(long example, int layerIndex) {
    return new ActivationWritable(
        new int[] {10, 16}, InventedFiles.block(GEOMETRY, example, layerIndex));
  }

  void assertInvented(Path folder) throws Exception {
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder(all(SHARDS, "shards.json", "metadata.json"));
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    assertThat(dataset.warnings()).noneMatch(warning -> !warning.contains("not named by"));
    assertSameAs(new SaevInputFormat(), folder);
  }

  static void assertSameAs(ActivationInputFormat format, Path folder) throws Exception {
    Job reading = Job.getInstance(new Configuration(false));
    org.apache.hadoop.mapreduce.lib.input.FileInputFormat.setInputPaths(
        reading, new org.apache.hadoop.fs.Path(folder.toUri()));
    List<Tasks.Read> records =
        Tasks.readAll(format, format.getSplits(reading), reading.getConfiguration());
    assertThat(records).hasSize(7);
    for (Tasks.Read record : records) {
      assertThat(record.value()).isEqualTo(example(record.key().example()));
    }
  }

  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(output)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  static List<Path> filesBelow(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  static String[] all(String[] names, String... more) {
    return Stream.concat(Stream.of(names), Stream.of(more)).toArray(String[]::new);
  }
}
