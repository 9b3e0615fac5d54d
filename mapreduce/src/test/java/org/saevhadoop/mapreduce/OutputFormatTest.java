package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.SaevKeys;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.safetensors.SafetensorsKeys;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.mapreduce.Tasks.Order;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

@ResourceLock(FaultyFileSystem.SCHEME)
class OutputFormatTest extends OutputJob {
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void wholeExamplesMakeSafetensorsFilesOfEitherLayout(Columns columns) throws Exception {
    conf.set(SafetensorsKeys.COLUMNS.name(), columns.name().toLowerCase(java.util.Locale.ROOT));
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "3");
    write(safetensors);
    SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(output));
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.shards()).hasSize(3);
    assertThat(dataset.activations().provenance().document(SaevMetadata.DOCUMENT))
        .contains(new String(metadata, StandardCharsets.UTF_8));
    assertThat(names()).hasSize(4).contains("dataset_manifest.json");
    assertSameAs(new SafetensorsInputFormat(), output);
  }

  @Test
  void blocksInTheFilesOwnOrderNeedNoSpool() throws Exception {
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "2");
    conf.set(OutputKeys.SPOOL.name(), "false");
    write(safetensors, Order.PAIRS);
    assertSameAs(new SafetensorsInputFormat(), output);
  }

  @Test
  void aSpoolTakesTheBlocksOfAFileInAnyOrder() throws Exception {
    conf.set(OutputKeys.SPOOL.name(), "true");
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    RecordWriter<ActivationKey, ActivationWritable> writer = saev.getRecordWriter(task);
    for (long first = 6; first >= 0; first -= 2) {
      for (int layer : new int[] {1, 0, 2}) {
        for (long example = Math.min(6, first + 1); example >= first; example--) {
          writer.write(key(example, layer), block(example, layer));
        }
      }
    }
    writer.close(task);
    Tasks.commit(saev, task);
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void aBlockOutOfOrderIsRefusedWithTheOneThatWasExpected() throws Exception {
    RecordWriter<ActivationKey, ActivationWritable> writer = firstTask();
    writer.write(key(2, 0), block(2, 0));
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER,
        "acts000001.bin",
        () -> writer.write(key(2, 2), block(2, 2)));
  }

  @Test
  void aTaskThatEndsBeforeItsFileIsCompleteFailsAtItsClose() throws Exception {
    setUp(saev);
    for (String spool : List.of("true", "false")) {
      conf.set(OutputKeys.SPOOL.name(), spool);
      TaskAttemptContext task = Tasks.attempt(conf, 0, spool.length());
      RecordWriter<ActivationKey, ActivationWritable> writer = saev.getRecordWriter(task);
      writer.write(key(0), example(0));
      assertFails(DatasetError.INCOMPLETE, "acts000000.bin", () -> writer.close(task));
    }
  }

  @Test
  void anExactTailIsAsLongAsItsExamples() throws Exception {
    conf.set(SaevKeys.TAIL.name(), "exact");
    write(saev);
    assertThat(output.resolve(SHARDS[3]).toFile().length()).isEqualTo(1920);
    assertSameAs(new SaevInputFormat(), output);
  }

  @Test
  void metadataMayBeGivenAsItsText() throws Exception {
    conf.set(SaevKeys.METADATA.name(), new String(metadata, StandardCharsets.UTF_8));
    assertThat(saev.write(conf).plan().table()).isEqualTo(GEOMETRY.table());
  }

  @Test
  void theFormatReturnsTheNumberOfExamplesInAFile() throws Exception {
    conf.set("saev.output.batch.size", "3");
    SafetensorsOutputFormat.setGeometry(conf, GEOMETRY);
    assertThat(safetensors.examplesPerShard(conf)).isEqualTo(3);
  }

  @Test
  void aGeometryAloneIsEnoughForSafetensors() throws Exception {
    conf.unset(SaevKeys.METADATA.name());
    SafetensorsOutputFormat.setGeometry(conf, GEOMETRY);
    write(safetensors);
    SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(output));
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(dataset.activations().provenance().document(SaevMetadata.DOCUMENT)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.output.tail | short | saev.output.tail is \"short\" (expected full or exact)",
        "saev.output.metadata | ' ' | saev.output.metadata is \" \": SAEV metadata: not JSON",
        "saev.output.metadata | {} | : SAEV metadata: is not SAEV metadata (expected the fields",
        "saev.output.metadata | { | saev.output.metadata is \"{\": SAEV metadata: not JSON",
        "saev.output.columns | both | saev.output.columns is \"both\" (expected layers, acts or rows)",
        "saev.output.batch.size | -1 | saev.output.batch.size is -1 (expected at least 1)",
        "saev.output.geometry | 1;2;3 | saev.output.geometry is \"1;2;3\": it has 3 parts (expected",
        "saev.output.geometry | 1;1,1;3;4 | saev.output.geometry is \"1;1,1;3;4\"",
        "saev.output.geometry | x;1;3;4 | saev.output.geometry is \"x;1;3;4\""
      })
  void aWrongValueFailsTheJobBeforeItStarts(String key, String value, String problem) {
    conf.set(key, value);
    ActivationOutputFormat format = key.matches(".*(tail|metadata)") ? saev : safetensors;
    assertThatThrownBy(() -> format.checkOutputSpecs(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void anOutputFolderThatExistsFailsTheJobBeforeItStarts() throws IOException {
    Files.createDirectory(output);
    assertThatThrownBy(() -> saev.checkOutputSpecs(job)).hasMessageContaining("already exists");
  }

  private RecordWriter<ActivationKey, ActivationWritable> firstTask() throws Exception {
    setUp(saev);
    return saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
  }
}
