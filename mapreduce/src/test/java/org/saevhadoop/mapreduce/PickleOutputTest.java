package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.pickle.PickleKeys;

@Tag("late")
class PickleOutputTest {
  /** An example is 4 MB: two make a shard of at most 10. */
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, 21), 500, 1000);

  private final ActivationPickleOutputFormat format = new ActivationPickleOutputFormat();

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
    ActivationPickleOutputFormat.setGeometry(conf, GEOMETRY);
    conf.set(PickleKeys.SHARD_MB.name(), "10");
  }

  @Test
  void wholeExamplesAndBlocksInAnyOrderGiveTheFilesOfBlocksInOrder() throws Exception {
    write(0, 5, "blocks", 0);
    Path ordered = published();
    write(0, 5, "examples", 0);
    Path examples = published();
    conf.set(OutputKeys.SPOOL.name(), "true");
    write(0, 5, "any", 0);
    Path any = published();
    assertThat(files(ordered))
        .containsExactly(
            "metadata.json", "shard_0001.pkl.gz", "shard_0002.pkl.gz", "shard_0003.pkl.gz");
    for (Path other : List.of(examples, any)) {
      assertThat(files(other)).isEqualTo(files(ordered));
      for (String file : files(ordered)) {
        if (!file.equals("metadata.json")) {
          assertThat(other.resolve(file)).hasSameBinaryContentAs(ordered.resolve(file));
        }
      }
    }
  }

  @Test
  void ofTwoAttemptsOfATaskOnlyTheCommittedOneIsSeen() throws Exception {
    OutputCommitter committer = setUp();
    TaskAttemptContext lost = Tasks.attempt(conf, 0, 0);
    TaskAttemptContext kept = Tasks.attempt(conf, 0, 1);
    write(lost, 0, 2, "blocks");
    write(kept, 0, 5, "blocks");
    format.getOutputCommitter(kept).commitTask(kept);
    format.getOutputCommitter(lost).abortTask(lost);
    committer.commitJob(job());
    assertThat(files(output)).hasSize(4).noneMatch(name -> name.endsWith(".facts"));
  }

  @Test
  void aMissingShardFailsTheJobAndNothingLooksLikeADataset() throws Exception {
    OutputCommitter committer = setUp();
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    write(task, 0, 2, "blocks");
    format.getOutputCommitter(task).commitTask(task);
    assertFails(DatasetError.INCOMPLETE, "shard_0002.pkl.gz", () -> committer.commitJob(job()));
    assertThat(files(output)).isEmpty();
  }

  @Test
  void whatIsKnownOfTheMakingIsReportedAndTheTimeIsThatOfTheSubmission() throws Exception {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    config.put("model_name", "${x} \u0000 \uffff \ud83e").put("odd", Double.NaN);
    String json = "{\"model_name\": \"${x} \\u0000 \\uffff \\ud83e\", \"odd\": NaN}";
    ActivationPickleOutputFormat.setExtraction(conf, json, null, 2.5);
    conf.writeXml(new DataOutputStream(new ByteArrayOutputStream())); // tasks get it so
    write(0, 5, "blocks", 0);
    String text = Files.readString(output.resolve("metadata.json"));
    JsonNode manifest = new ObjectMapper().readTree(text.replace("NaN", "-1"));
    assertThat(manifest.get("extraction_config").get("model_name"))
        .isEqualTo(config.get("model_name"));
    assertThat(text).contains("\"odd\": NaN", "\"extraction_duration_seconds\": 2.5");
    String created = conf.get(PickleKeys.CREATED.name());
    assertThat(created).startsWith(manifest.get("created_at").textValue().replace("Z", ""));
  }

  @Test
  void theRealToolsManifestNamesThePathThatTheDatasetGetsTo() throws Exception {
    conf.set(PickleKeys.DIALECT.name(), "real");
    Path place = temporary.resolve("place");
    conf.set(OutputKeys.PUBLISH.name(), place.toUri().toString());
    write(0, 5, "blocks", 0);
    JsonNode manifest = new ObjectMapper().readTree(place.resolve("metadata.json").toFile());
    assertThat(manifest.get("shards").get(0).get("local_path").textValue())
        .isEqualTo(place.resolve("shard_0001.pkl.gz").toString());
    assertThat(manifest.get("gcs_prefix").textValue()).isEqualTo("place");
    assertThat(manifest.get("total_activations").asInt()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.output.pickle.dialect | x | is \"x\" (expected spec or real)",
        "saev.output.pickle.protocol | 3 | is 3 (expected 2, 4 or 5)",
        "saev.output.pickle.shard.mb | 9 | is 9 (expected 10 to 2000)",
        "saev.output.pickle.shard.mb | 2001 | is 2001 (expected 10 to 2000)",
        "saev.output.pickle.level | 10 | is 10 (expected auto, or 0 to 9)",
        "saev.output.pickle.container | zip | (expected bgzf, single-member or none)",
        "saev.output.pickle.config | { | (expected a JSON object)",
        "saev.output.pickle.config | [] | is \"[]\": it is JSON of another kind (expected a JSON object)",
        "saev.output.pickle.created | now | saev.output.pickle.created is \"now\"",
        "saev.output.geometry | 1;1;1;1;F8_E4M3 | numpy has no F8_E4M3"
      })
  void aWrongValueFailsTheJobBeforeItStarts(String key, String value, String problem) {
    conf.set(key, value);
    assertThatThrownBy(() -> format.checkOutputSpecs(job)).hasMessageContaining(problem);
  }

  @Test
  void aShapeMustBeThere() {
    conf.unset("saev.output.geometry");
    assertThatThrownBy(() -> format.checkOutputSpecs(job))
        .hasMessageContaining("neither saev.output.geometry nor saev.output.metadata is set");
  }

  private Path published() throws IOException {
    return Files.move(output, temporary.resolve("moved-" + files(temporary).size()));
  }

  private void write(long from, long to, String how, int task) throws Exception {
    OutputCommitter committer = setUp();
    TaskAttemptContext context = Tasks.attempt(conf, task, 0);
    write(context, from, to, how);
    format.getOutputCommitter(context).commitTask(context);
    committer.commitJob(job());
  }

  private OutputCommitter setUp() throws IOException {
    format.checkOutputSpecs(job);
    OutputCommitter committer = format.getOutputCommitter(Tasks.attempt(conf, 0, 0));
    committer.setupJob(job());
    return committer;
  }

  private JobContext job() {
    return new JobContextImpl(conf, new JobID("test", 1));
  }

  private void write(TaskAttemptContext task, long from, long to, String how)
      throws IOException, InterruptedException {
    format.getOutputCommitter(task).setupTask(task);
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(task);
    for (long first = from; first < to; first += 2) {
      long end = Math.min(first + 2, to);
      if (how.equals("examples")) {
        for (long example = first; example < end; example++) {
          writer.write(
              new ActivationKey(example, ActivationKey.ALL, 0),
              new ActivationWritable(
                  new int[] {2, 500, 1000}, InventedFiles.example(GEOMETRY, example)));
        }
        continue;
      }
      for (int i = 0; i < 2; i++) {
        int layer = how.equals("any") ? 1 - i : i;
        for (long example = first; example < end; example++) {
          writer.write(
              new ActivationKey(example, GEOMETRY.layers().get(layer), 0),
              new ActivationWritable(
                  new int[] {500, 1000}, InventedFiles.block(GEOMETRY, example, layer)));
        }
      }
    }
    writer.close(task);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
