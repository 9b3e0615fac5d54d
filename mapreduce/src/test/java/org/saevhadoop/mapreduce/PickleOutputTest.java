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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.pickleshards.PickleKeys;
import org.saevhadoop.mapreduce.Tasks.Order;
import org.saevhadoop.mapreduce.job.OutputKeys;

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
    write(Order.PAIRS);
    Path ordered = published();
    write(Order.EXAMPLES);
    Path examples = published();
    conf.set(OutputKeys.SPOOL.name(), "true");
    write(Order.PAIRS_BACKWARDS);
    Path any = published();
    assertThat(Tasks.files(ordered))
        .containsExactly(
            "metadata.json", "shard_0001.pkl.gz", "shard_0002.pkl.gz", "shard_0003.pkl.gz");
    for (Path other : List.of(examples, any)) {
      assertThat(Tasks.files(other)).isEqualTo(Tasks.files(ordered));
      for (String file : Tasks.files(ordered)) {
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
    Tasks.write(format, lost, GEOMETRY, 0, 2, Order.PAIRS);
    Tasks.write(format, kept, GEOMETRY, 0, 5, Order.PAIRS);
    Tasks.commit(format, kept);
    format.getOutputCommitter(lost).abortTask(lost);
    committer.commitJob(job());
    assertThat(Tasks.files(output)).hasSize(4).noneMatch(name -> name.endsWith(".facts"));
  }

  @Test
  void aMissingShardFailsTheJobAndNothingLooksLikeADataset() throws Exception {
    OutputCommitter committer = setUp();
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    Tasks.write(format, task, GEOMETRY, 0, 2, Order.PAIRS);
    Tasks.commit(format, task);
    assertFails(DatasetError.INCOMPLETE, "shard_0002.pkl.gz", () -> committer.commitJob(job()));
    assertThat(Tasks.files(output)).isEmpty();
  }

  @Test
  void whatIsKnownOfTheMakingIsReportedAndTheTimeIsThatOfTheSubmission() throws Exception {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    config.put("model_name", "${x} \u0000 \uffff \ud83e").put("odd", Double.NaN);
    String json = "{\"model_name\": \"${x} \\u0000 \\uffff \\ud83e\", \"odd\": NaN}";
    ActivationPickleOutputFormat.setExtraction(conf, json, null, 2.5);
    conf.writeXml(new DataOutputStream(new ByteArrayOutputStream())); // tasks get it so
    write(Order.PAIRS);
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
    write(Order.PAIRS);
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
    return Files.move(output, temporary.resolve("moved-" + Tasks.files(temporary).size()));
  }

  private void write(Order order) throws Exception {
    OutputCommitter committer = setUp();
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    Tasks.write(format, task, GEOMETRY, 0, 5, order);
    Tasks.commit(format, task);
    committer.commitJob(job());
  }

  private OutputCommitter setUp() throws IOException {
    format.checkOutputSpecs(job);
    OutputCommitter committer = format.getOutputCommitter(Tasks.attempt(conf, 0, 0));
    committer.setupJob(job());
    return committer;
  }

  private JobContext job() {
    return Tasks.attempt(conf, 0, 0);
  }
}
