package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.samediff.RealArray;
import org.saevhadoop.format.samediff.RealLoaderRules;
import org.saevhadoop.format.samediff.SameDiffKeys;
import org.saevhadoop.format.samediff.dataset.SdnbWritePlan;
import org.saevhadoop.format.samediff.dataset.WrittenArrays;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.mapreduce.Tasks.Order;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** Containers that jobs of users write. */
class SameDiffOutputTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, 21), 4, 3);

  private final SameDiffOutputFormat format = new SameDiffOutputFormat();

  @TempDir Path temporary;
  private Path output;
  private Job job;
  private Configuration conf;

  @BeforeEach
  void configure() throws IOException {
    output = temporary.resolve("output");
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    SameDiffOutputFormat.setGeometry(conf, GEOMETRY);
    // two examples are a shard
    conf.set(SameDiffKeys.MAX_SHARD_BYTES.name(), String.valueOf(2 * GEOMETRY.exampleBytes()));
  }

  @Test
  void tasksThatWriteDifferentShardsMakeAContainer() throws Exception {
    OutputCommitter committer = setUp();
    commit(1, 2, 5, Order.EXAMPLES);
    commit(0, 0, 2, Order.PAIRS);
    committer.commitJob(Tasks.attempt(conf, 0, 0));
    assertThat(Tasks.files(output))
        .containsExactly(
            "activations.shard0-of-4.sdnb",
            "activations.shard1-of-4.sdnb",
            "activations.shard2-of-4.sdnb",
            "activations.shard3-of-4.sdnb");
    assertInvented("activations.sdnb");
  }

  @ParameterizedTest
  @CsvSource({"activations.sdz, sdz, false", "activations.sdz, sdz, true"})
  void blocksOfOneZipFileComeInAnyOrder(String file, String container, String deflate)
      throws Exception {
    conf.set(SameDiffKeys.CONTAINER.name(), container);
    conf.set(SameDiffKeys.DEFLATE.name(), deflate);
    conf.set(OutputKeys.SPOOL.name(), "true");
    conf.set(SameDiffKeys.MAX_SHARD_BYTES.name(), String.valueOf(2 * GEOMETRY.blockBytes()));
    OutputCommitter committer = setUp();
    commit(0, 0, 5, Order.PAIRS_BACKWARDS);
    committer.commitJob(Tasks.attempt(conf, 0, 0));
    assertInvented(file);
  }

  @Test
  void blocksOfOneZipFileInItsOrderNeedNoSpool() throws Exception {
    conf.set(SameDiffKeys.CONTAINER.name(), "sdz");
    conf.set(SameDiffKeys.MAX_SHARD_BYTES.name(), String.valueOf(2 * GEOMETRY.blockBytes()));
    conf.set(OutputKeys.SPOOL.name(), "false");
    OutputCommitter committer = setUp();
    commit(0, 0, 5, Order.COLUMNS);
    committer.commitJob(Tasks.attempt(conf, 0, 0));
    assertInvented("activations.sdz");
  }

  @Test
  void aZipFileIsWrittenByOneTask() throws Exception {
    conf.set(SameDiffKeys.CONTAINER.name(), "sdz");
    setUp();
    assertFails(DatasetError.INCOMPLETE, "activations.sdz", () -> commit(0, 0, 3, Order.EXAMPLES));
  }

  @Test
  void aMissingShardFailsTheJobAndThereIsNoGraph() throws Exception {
    OutputCommitter committer = setUp();
    commit(0, 0, 2, Order.PAIRS);
    assertFails(
        DatasetError.INCOMPLETE,
        output.resolve("activations.shard2-of-4.sdnb"),
        () -> committer.commitJob(Tasks.attempt(conf, 0, 0)));
    assertThat(Tasks.files(output)).noneMatch(name -> name.contains("shard0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sdnb", "sdz"})
  void labelsOfAnotherDatasetBecomeArrays(String container) throws Exception {
    InventedDataset labelled = new InventedDataset(GEOMETRY, false, 5).withLabels(3);
    WrittenArrays arrays =
        new WrittenArrays(
            GEOMETRY.table(), 5, Provenance.NONE, LabelSource.of(labelled, GEOMETRY), null);
    Path source = temporary.resolve("source");
    InventedFiles.write(new SdnbWritePlan(arrays, "acts").write(SampleMetadata.NONE), source);
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(source.toUri()), SameDiffInputFormat.class);
    conf.set(SameDiffKeys.CONTAINER.name(), container);
    conf.set(OutputKeys.SPOOL.name(), "true");
    OutputCommitter committer = setUp();
    commit(0, 0, 5, Order.EXAMPLES);
    committer.commitJob(Tasks.attempt(conf, 0, 0));
    ByteBuffer labels = ByteBuffer.allocate(15);
    for (RealArray array : RealLoaderRules.ofOurs(output.resolve("activations." + container))) {
      if (array.name().startsWith("labels/")) {
        labels.put(array.bytes());
      }
    }
    assertThat(labels.array()).isEqualTo(labelled.labels(0, 5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.output.samediff.container | zip | is \"zip\" (expected sdnb or sdz)",
        "saev.output.samediff.shard.bytes | 0 | is 0 (expected 1 to 2080374783)",
        "saev.output.samediff.name | a.b | is \"a.b\" (expected letters, digits, - and _",
        "saev.output.samediff.created | now | is \"now\" (expected 2026-01-31T12:00:00Z",
        "saev.output.samediff.deflate | true | saev.output.samediff.deflate needs --container sdz",
        "saev.output.geometry | 1;1;1;1;F8_E4M3 | SameDiff has no type F8_E4M3",
        "saev.output.geometry | 1;1;600;1048576 | would have an SDNB file of 2516582400 bytes"
      })
  void aWrongValueFailsTheJobBeforeItStarts(String key, String value, String problem) {
    conf.set(key, value);
    assertThatThrownBy(() -> format.checkOutputSpecs(job)).hasMessageContaining(problem);
  }

  private OutputCommitter setUp() throws IOException {
    format.checkOutputSpecs(job);
    OutputCommitter committer = format.getOutputCommitter(Tasks.attempt(conf, 0, 0));
    committer.setupJob(Tasks.attempt(conf, 0, 0));
    return committer;
  }

  private void commit(int number, long from, long to, Order order) throws Exception {
    TaskAttemptContext task = Tasks.attempt(conf, number, 0);
    Tasks.write(format, task, GEOMETRY, from, to, order);
    Tasks.commit(format, task);
  }

  /** Asserts that the real loaders open the container, and that its records are those written. */
  private void assertInvented(String path) throws Exception {
    assertThat(RealLoaderRules.ofOurs(output.resolve(path))).hasSize(6);
    if (path.endsWith(".sdz") && conf.getBoolean(SameDiffKeys.DEFLATE.name(), false)) {
      return; // which a job reads only after it was staged
    }
    List<Tasks.Read> records =
        Tasks.readAll(new SameDiffInputFormat(), output, new Configuration(false));
    assertThat(records).hasSize(5);
    for (Tasks.Read record : records) {
      assertThat(record.value().bytes())
          .isEqualTo(InventedFiles.example(GEOMETRY, record.key().example()));
    }
  }
}
