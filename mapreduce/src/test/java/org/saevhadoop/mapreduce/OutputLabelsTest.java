package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.safetensors.SafetensorsKeys;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.format.safetensors.header.HeaderEncoder;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** Labels and ids of other datasets in the files that are written. */
@ResourceLock(FaultyFileSystem.SCHEME)
class OutputLabelsTest extends OutputJob {
  @ParameterizedTest
  @CsvSource({"true, layers", "false, layers", "true, acts", "false, acts"})
  void labelsGoToTheEndOfEachSafetensorsFile(String spool, String columns) throws Exception {
    byte[] labels = labelled("source");
    conf.set(SafetensorsKeys.COLUMNS.name(), columns);
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), spool.equals("true") ? "3" : "1");
    conf.set(OutputKeys.SPOOL.name(), spool);
    write(safetensors);
    SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(output));
    assertThat(labels(dataset)).isEqualTo(labels);
    assertSameAs(new SafetensorsInputFormat(), output);
  }

  @Test
  void labelsOfADatasetOfAnyFormatBecomeAFileBeforeTheOtherDocuments() throws Exception {
    byte[] labels = labelled("source");
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "2");
    write(safetensors);
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(output.toUri()), SafetensorsInputFormat.class);
    output = temporary.resolve("saev");
    FileOutputFormat.setOutputPath(job, FaultyFileSystem.path(output));
    OutputCommitter committer = finishedTasks();
    assertThat(filesBelow(output)).noneMatch(file -> file.endsWith("labels.bin"));
    FaultyFileSystem.failRenames(
        path -> path.getName().equals("shards.json"), FaultyFileSystem.Failure.EXCEPTION);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).hasMessage("the connection broke");
    assertThat(output.resolve("labels.bin")).hasBinaryContent(labels);
    assertThat(output.resolve("metadata.json")).doesNotExist();
  }

  @Test
  void labelsMakeADatasetOnAnyStorage() throws Exception {
    byte[] labels = labelled("source");
    Path place = onGuardedStorage();
    finishedTasks().commitJob(job(conf));
    assertThat(place.toFile().list())
        .containsExactlyInAnyOrder(all(SHARDS, "labels.bin", "shards.json", "metadata.json"));
    assertThat(labels(SaevDataset.open(new LocalFolder(place)))).isEqualTo(labels);
  }

  @Test
  void labelsThatEndWhileTheJobRunsFailItAndNoDatasetIsSeen() throws Exception {
    labelled("source");
    Path place = publishTo("published");
    OutputCommitter committer = finishedTasks();
    Path file = temporary.resolve("source/labels.bin");
    Files.write(file, new byte[62]);
    assertFails(
        DatasetError.NO_LABELS, temporary.resolve("source"), () -> committer.commitJob(job(conf)));
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place).doesNotExist();
    assertThat(output).doesNotExist();
  }

  @Test
  void labelsOfOtherExamplesFailTheJobBeforeItStarts() throws Exception {
    labelled("source");
    SafetensorsOutputFormat.setGeometry(conf, new Geometry(6, List.of(1), 10, 16));
    assertFails(
        DatasetError.LABELS_MISMATCH,
        temporary.resolve("source"),
        () -> safetensors.checkOutputSpecs(job));
  }

  @Test
  void labelsOfAllTokensAreNotThoseOfAShardWithCls() throws Exception {
    Path foreign = temporary.resolve("foreign");
    InventedDataset labelled = new InventedDataset(GEOMETRY, false, 7).withLabels(10);
    InventedFiles.write(
        WrittenBatches.plan(
            GEOMETRY.table(),
            Columns.ACTS,
            7,
            BatchWritePlan.Tail.WRITE,
            HeaderEncoder.ALIGNMENT,
            Provenance.NONE,
            LabelSource.of(labelled, GEOMETRY)),
        new LocalFolder(foreign));
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(foreign.toUri()), SafetensorsInputFormat.class);
    assertFails(DatasetError.LABELS_MISMATCH, foreign, () -> saev.checkOutputSpecs(job));
  }

  @ParameterizedTest
  @CsvSource({"no.such.Class", "java.lang.String"})
  void aWrongFormatOfTheLabelsFailsTheJobBeforeItStarts(String name) throws Exception {
    labelled("source");
    conf.set(OutputKeys.LABELS_FORMAT.name(), name);
    assertThatThrownBy(() -> saev.checkOutputSpecs(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "saev.output.labels.format is \"%s\" (expected the class of an ActivationInputFormat)"
                .formatted(name));
  }

  @Test
  void idsOfADatasetThatHasNoneFailTheJobBeforeItStarts() throws Exception {
    conf.set(SafetensorsKeys.LAYOUT.name(), "kv");
    Path other = temporary.resolve("other");
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 3, Provenance.NONE), new LocalFolder(other));
    conf.set(OutputKeys.IDS.name(), other.toUri().toString());
    assertFails(DatasetError.IDS_MISMATCH, other, () -> safetensors.checkOutputSpecs(job));
  }
}
