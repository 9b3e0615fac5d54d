package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
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
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.Tasks.Order;
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
    Files.createDirectory(folder);
    SafetensorsFiles.write(
        folder.resolve(OLD),
        Map.of("saev.examples", "1", "saev.first_example", "0"),
        List.of(new TensorSpec("acts", DType.F32, List.of(1L, 2L, 3L))));
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
    commitExamples(0, 0, 7);
    return committer;
  }

  void write(ActivationOutputFormat format) throws Exception {
    write(format, Order.EXAMPLES);
  }

  void write(ActivationOutputFormat format, Order order) throws Exception {
    OutputCommitter committer = setUp(format);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    Tasks.write(format, task, GEOMETRY, 0, 7, order);
    Tasks.commit(format, task);
    committer.commitJob(job(conf));
  }

  OutputCommitter setUp(ActivationOutputFormat format) throws IOException {
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    OutputCommitter committer = format.getOutputCommitter(context);
    committer.setupJob(job(conf));
    return committer;
  }

  /** Writes whole examples in the first attempt of a task, and commits it. */
  void commitExamples(int number, long from, long to) throws Exception {
    TaskAttemptContext task = Tasks.attempt(conf, number, 0);
    writeExamples(task, from, to);
    Tasks.commit(saev, task);
  }

  void writeExamples(TaskAttemptContext task, long from, long to) throws Exception {
    Tasks.write(saev, task, GEOMETRY, from, to, Order.EXAMPLES);
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
    List<Tasks.Read> records = Tasks.readAll(format, folder, new Configuration(false));
    assertThat(records).hasSize(7);
    for (Tasks.Read record : records) {
      assertThat(record.value()).isEqualTo(example(record.key().example()));
    }
  }

  List<String> names() throws IOException {
    return Tasks.files(output);
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
