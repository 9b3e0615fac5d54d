package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

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
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.saev.SaevKeys;
import org.saevhadoop.mapreduce.safetensors.SafetensorsKeys;

@Tag("late")
@ResourceLock(GuardedFileSystem.SCHEME)
class OutputFormatTest {
  /** What the fixture's metadata says: shards of two examples, the fourth of one. */
  private static final Geometry GEOMETRY = new Geometry(7, List.of(13, 21, 23), 10, 16);

  private static final Path FIXTURE =
      Corpus.checkout()
          .resolve("fixtures/saev")
          .resolve("213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b");

  private static final String[] SHARDS = {
    "acts000000.bin", "acts000001.bin", "acts000002.bin", "acts000003.bin"
  };

  private static final String OLD = "old.safetensors";

  @TempDir Path temporary;
  private final SaevOutputFormat saev = new SaevOutputFormat();
  private final SafetensorsOutputFormat safetensors = new SafetensorsOutputFormat();
  private Job job;
  private Configuration conf;
  private Path output;
  private byte[] metadata;

  @BeforeEach
  void configure() throws IOException {
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    GuardedFileSystem.register(conf);
    output = temporary.resolve("out");
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    metadata = Files.readAllBytes(FIXTURE.resolve("metadata.json"));
    SaevOutputFormat.setMetadata(conf, metadata);
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "false, 0", "true, 1"})
  void tasksThatWriteDifferentShardsMakeADataset(boolean wholeExamples, int split)
      throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext first = Tasks.attempt(conf, 0, 0);
    TaskAttemptContext second = Tasks.attempt(conf, 1, 0);
    long border = 4 - 2L * split;
    writeExamples(saev, first, 0, border, wholeExamples);
    writeExamples(saev, second, border, 7, wholeExamples);
    commitTask(saev, second);
    commitTask(saev, first);
    assertThat(names()).doesNotContain("metadata.json", SHARDS[0]);
    committer.commitJob(job(conf));

    assertThat(names()).containsExactlyInAnyOrder(all(SHARDS, "shards.json", "metadata.json"));
    assertThat(output.resolve("metadata.json")).hasBinaryContent(metadata);
    assertInvented(output);
  }

  @ParameterizedTest
  @EnumSource
  void wholeExamplesMakeSafetensorsFilesOfEitherLayout(Columns columns) throws Exception {
    conf.set(SafetensorsKeys.COLUMNS.name(), columns.name().toLowerCase(java.util.Locale.ROOT));
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "3");
    write(safetensors, true);
    SafetensorsDataset dataset = SafetensorsDataset.open(new LocalFolder(output));
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.shards()).hasSize(3);
    assertThat(dataset.activations().provenance().document(SaevMetadata.DOCUMENT))
        .contains(new String(metadata, StandardCharsets.UTF_8));
    assertThat(names()).hasSize(4).contains("dataset_manifest.json");
    assertSameAs(new SafetensorsInputFormat(), output);
  }

  @Test
  void blocksInTheFilesOwnOrderNeedNoSpool() throws Exception {
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "4");
    conf.set(OutputKeys.SPOOL.name(), "false");
    OutputCommitter committer = setUp(safetensors);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    RecordWriter<ActivationKey, ActivationWritable> writer = safetensors.getRecordWriter(task);
    for (long first = 0; first < 7; first += 4) {
      for (int layer = 0; layer < 3; layer++) {
        for (long example = first; example < Math.min(7, first + 4); example++) {
          writer.write(key(example, layer), block(example, layer));
        }
      }
    }
    writer.close(task);
    commitTask(safetensors, task);
    committer.commitJob(job(conf));
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
    commitTask(saev, task);
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void aBlockOutOfOrderIsRefusedWithTheOneThatWasExpected() throws Exception {
    setUp(saev);
    RecordWriter<ActivationKey, ActivationWritable> writer =
        saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
    writer.write(key(2, 0), block(2, 0));
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER,
        "acts000001.bin",
        () -> writer.write(key(2, 2), block(2, 2)));
  }

  @Test
  void reopeningAFinishedFileIsRefused() throws Exception {
    setUp(saev);
    RecordWriter<ActivationKey, ActivationWritable> writer =
        saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
    for (long example : new long[] {0, 1, 2, 3}) {
      writer.write(key(example), example(example));
    }
    assertFails(
        DatasetError.BLOCK_OUT_OF_ORDER, "acts000000.bin", () -> writer.write(key(1), example(1)));
  }

  @Test
  void leavingAFileBeforeItIsCompleteIsAnError() throws Exception {
    setUp(saev);
    RecordWriter<ActivationKey, ActivationWritable> writer =
        saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
    writer.write(key(0), example(0));
    assertFails(DatasetError.INCOMPLETE, "acts000000.bin", () -> writer.write(key(2), example(2)));
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
  void examplesAndLayersThatAreNotOfTheDatasetAreRefused() throws Exception {
    setUp(saev);
    RecordWriter<ActivationKey, ActivationWritable> writer =
        saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
    String attempt = "attempt_test_0001_m_000000_0";
    for (long example : new long[] {-1, 7, Long.MAX_VALUE}) {
      assertFails(
          DatasetError.FOREIGN_RECORD, attempt, () -> writer.write(key(example), example(0)));
    }
    assertFails(
        DatasetError.FOREIGN_RECORD,
        attempt,
        () -> writer.write(new ActivationKey(0, 14, 0), block(0, 0)));
  }

  @Test
  void recordsOfAnotherSizeAreRefused() throws Exception {
    setUp(saev);
    RecordWriter<ActivationKey, ActivationWritable> writer =
        saev.getRecordWriter(Tasks.attempt(conf, 0, 0));
    ActivationWritable small = new ActivationWritable(new int[] {4}, ByteBuffer.allocate(16));
    assertFails(
        DatasetError.BLOCK_SIZE, "attempt_test_0001_m_000000_0", () -> writer.write(key(0), small));
    assertFails(DatasetError.BLOCK_SIZE, "acts000000.bin", () -> writer.write(key(0, 0), small));
  }

  @Test
  void aMissingShardFailsTheJobAndNoDocumentIsWritten() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 6, true);
    commitTask(saev, task);
    assertFails(
        DatasetError.INCOMPLETE, output.resolve(SHARDS[3]), () -> committer.commitJob(job(conf)));
    assertThat(names()).noneMatch(name -> name.endsWith(".json"));
  }

  @Test
  void aShardOfTheWrongLengthFailsTheJobAndNoDocumentIsWritten() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, true);
    Path written =
        Path.of(saev.getOutputCommitter(task).getWorkPath().toUri().getPath()).resolve(SHARDS[1]);
    Files.write(written, new byte[7]);
    commitTask(saev, task);
    assertFails(
        DatasetError.INCOMPLETE, output.resolve(SHARDS[1]), () -> committer.commitJob(job(conf)));
    assertThat(names()).noneMatch(name -> name.endsWith(".json"));
  }

  @Test
  void ofTwoAttemptsOfATaskOnlyTheCommittedOneIsSeen() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext speculative = Tasks.attempt(conf, 0, 0);
    TaskAttemptContext winner = Tasks.attempt(conf, 0, 1);
    // the loser is in the middle of a file whose content nobody must see
    RecordWriter<ActivationKey, ActivationWritable> loser = saev.getRecordWriter(speculative);
    loser.write(
        key(0),
        new ActivationWritable(new int[] {3, 10, 16}, ByteBuffer.allocate(3 * 10 * 16 * 4)));
    writeExamples(saev, winner, 0, 7, true);
    commitTask(saev, winner);
    assertFails(DatasetError.INCOMPLETE, "acts000000.bin", () -> loser.close(speculative));
    saev.getOutputCommitter(speculative).abortTask(speculative);
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void aLaterAttemptReplacesACommittedOne() throws Exception {
    OutputCommitter committer = setUp(saev);
    for (int attempt = 0; attempt < 2; attempt++) {
      TaskAttemptContext task = Tasks.attempt(conf, 0, attempt);
      writeExamples(saev, task, 0, 7, true);
      commitTask(saev, task);
    }
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void anAbortedTaskAndAnAbortedJobLeaveNothing() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext aborted = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, aborted, 0, 4, true);
    saev.getOutputCommitter(aborted).abortTask(aborted);
    assertThat(filesBelow(output)).isEmpty();
    TaskAttemptContext committed = Tasks.attempt(conf, 1, 0);
    writeExamples(saev, committed, 4, 7, true);
    commitTask(saev, committed);
    assertThat(filesBelow(output)).isNotEmpty();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(filesBelow(output)).isEmpty();
    // and once more, as a second failure would
    committer.abortJob(job(conf), JobStatus.State.KILLED);
  }

  @Test
  void aTaskWithoutRecordsHasNothingToCommit() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext idle = Tasks.attempt(conf, 5, 0);
    saev.getRecordWriter(idle).close(idle);
    assertThat(saev.getOutputCommitter(idle).needsTaskCommit(idle)).isFalse();
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, false);
    commitTask(saev, task);
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void theFilesOfHadoopAreThereForWhoAsks() throws Exception {
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", true);
    write(saev, true);
    assertThat(names()).contains("_SUCCESS", "metadata.json");
  }

  @Test
  void filesAreNotSeenBeforeTheJobCommitsWhateverAlgorithmIsConfigured() throws Exception {
    conf.setInt("mapreduce.fileoutputcommitter.algorithm.version", 2);
    setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, true);
    commitTask(saev, task);
    assertThat(names()).containsExactly("_temporary");
  }

  @Test
  void aFinishedDatasetIsMovedToItsPlace() throws Exception {
    Path place = publishTo("published");
    write(saev, true);
    assertThat(output).doesNotExist();
    assertInvented(place);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aDatasetIsMovedToAFolderThatIsNotThereYet() throws Exception {
    onGuardedStorage();
    Path place = temporary.resolve("new/folder/published");
    conf.set(OutputKeys.PUBLISH.name(), GuardedFileSystem.path(place).toString());
    finishedTasks().commitJob(job(conf));
    assertInvented(place);
  }

  @Test
  void anAbortedJobThatWouldPublishLeavesNoFolder() throws Exception {
    Path place = publishTo("published");
    OutputCommitter committer = setUp(saev);
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(output).doesNotExist();
    assertThat(place).doesNotExist();
  }

  @Test
  void existingFilesAreKeptWithoutOverwrite() throws Exception {
    Path place = publishTo("published");
    Files.createDirectory(place);
    Files.writeString(place.resolve("old"), "old");
    assertFails(FileError.ALREADY_EXISTS, place, () -> saev.checkOutputSpecs(job));
    // it may have come while the job ran
    assertFails(FileError.ALREADY_EXISTS, place, () -> write(saev, true));
    setUp(saev).abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place.resolve("old")).hasContent("old");
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void whatIsReplacedStaysUntilTheEndAndIsGoneThen() throws Exception {
    Path place = publishTo("published");
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    // of somebody else, although it looks like a leftover
    Path foreign = Files.createDirectories(temporary.resolve("_published.replaced/older"));
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, true);
    commitTask(saev, task);
    assertThat(place.resolve(OLD)).exists();
    committer.commitJob(job(conf));
    assertInvented(place);
    assertThat(place.resolve(OLD)).doesNotExist();
    assertThat(foreign).exists();
    assertThat(temporary.toFile().list())
        .containsExactlyInAnyOrder("published", "_published.replaced");
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDocumentThatCanNotBeRenamedLeavesNoDataset(GuardedFileSystem.Failure how) throws Exception {
    Path place = onGuardedStorage();
    OutputCommitter committer = finishedTasks();
    GuardedFileSystem.failRenames(path -> path.getName().equals("metadata.json"), how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(output.resolve("metadata.json")).doesNotExist();
    // which comes last
    assertThat(output.resolve("shards.json")).exists();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place).doesNotExist();
    assertThat(output).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDatasetThatCanNotBePublishedLeavesNone(GuardedFileSystem.Failure how) throws Exception {
    Path place = onGuardedStorage();
    OutputCommitter committer = finishedTasks();
    GuardedFileSystem.failRenames(path -> path.getParent().getName().equals("published"), how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(place).doesNotExist();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(temporary.toFile().list()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDatasetThatCanNotBeReplacedIsBackInItsPlace(GuardedFileSystem.Failure how)
      throws Exception {
    Path place = onGuardedStorage();
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    OutputCommitter committer = finishedTasks();
    int[] times = {0};
    GuardedFileSystem.failRenames(
        path -> path.getParent().getName().equals("published") && times[0]++ == 0, how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(place.resolve(OLD)).exists();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void whatIsNoDatasetIsNotReplacedAndComesToNoHarm() throws Exception {
    Path place = publishTo("published");
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    Path thesis = Files.writeString(place.resolve("thesis.tex"), "years of work");
    OutputCommitter committer = finishedTasks();
    assertFails(FileError.NOT_REPLACEABLE, thesis, () -> committer.commitJob(job(conf)));
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(thesis).hasContent("years of work");
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aDatasetIsBackIfTheAnswerToARenameWasLost() throws Exception {
    Path place = onGuardedStorage();
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    OutputCommitter committer = finishedTasks();
    GuardedFileSystem.failRenames(
        path -> path.getParent().getName().equals("published"),
        GuardedFileSystem.Failure.LOST_ANSWER);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place.resolve(OLD)).exists();
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aStorageThatIsNotTheLocalDiskGetsTheSameFiles() throws Exception {
    Path place = onGuardedStorage();
    finishedTasks().commitJob(job(conf));
    assertInvented(place);
    assertThat(place.resolve(SHARDS[3]).toFile().length()).isEqualTo(3840);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void anExactTailIsAsLongAsItsExamples() throws Exception {
    conf.set(SaevKeys.TAIL.name(), "exact");
    write(saev, true);
    assertThat(output.resolve(SHARDS[3]).toFile().length()).isEqualTo(1920);
    assertSameAs(new SaevInputFormat(), output);
  }

  @ParameterizedTest
  @CsvSource({"true, layers", "false, layers", "true, acts", "false, acts"})
  void labelsGoToTheEndOfEachSafetensorsFile(String spool, String columns) throws Exception {
    byte[] labels = labelled("source");
    conf.set(SafetensorsKeys.COLUMNS.name(), columns);
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), spool.equals("true") ? "3" : "1");
    conf.set(OutputKeys.SPOOL.name(), spool);
    write(safetensors, true);
    SafetensorsDataset dataset = SafetensorsDataset.open(new LocalFolder(output));
    assertThat(labels(dataset)).isEqualTo(labels);
    assertSameAs(new SafetensorsInputFormat(), output);
  }

  @Test
  void labelsOfADatasetOfAnyFormatBecomeAFileBeforeTheOtherDocuments() throws Exception {
    byte[] labels = labelled("source");
    conf.set(SafetensorsKeys.BATCH_SIZE.name(), "2");
    write(safetensors, true);
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(output.toUri()), SafetensorsInputFormat.class);
    output = temporary.resolve("saev");
    FileOutputFormat.setOutputPath(job, GuardedFileSystem.path(output));
    OutputCommitter committer = finishedTasks();
    assertThat(filesBelow(output)).noneMatch(file -> file.endsWith("labels.bin"));
    GuardedFileSystem.failRenames(
        path -> path.getName().equals("shards.json"), GuardedFileSystem.Failure.EXCEPTION);
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
        new BatchWritePlan(
            GEOMETRY.table(),
            Columns.ACTS,
            7,
            BatchWritePlan.Tail.WRITE,
            BatchWritePlan.ALIGNMENT,
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
        new BatchWritePlan(GEOMETRY, Columns.LAYERS, 3, Provenance.NONE), new LocalFolder(other));
    conf.set(OutputKeys.IDS.name(), other.toUri().toString());
    assertFails(DatasetError.IDS_MISMATCH, other, () -> safetensors.checkOutputSpecs(job));
  }

  @Test
  void metadataMayBeGivenAsItsText() throws Exception {
    conf.set(SaevKeys.METADATA.name(), new String(metadata, StandardCharsets.UTF_8));
    assertThat(saev.write(conf).plan().table()).isEqualTo(GEOMETRY.table());
  }

  @Test
  void aGeometryAloneIsEnoughForSafetensors() throws Exception {
    conf.unset(SaevKeys.METADATA.name());
    SafetensorsOutputFormat.setGeometry(conf, GEOMETRY);
    write(safetensors, true);
    SafetensorsDataset dataset = SafetensorsDataset.open(new LocalFolder(output));
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(dataset.activations().provenance().document(SaevMetadata.DOCUMENT)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "saev.output.tail; short; saev.output.tail is \"short\" (expected full or exact)",
        "saev.output.metadata; ' '; saev.output.metadata is \" \": SAEV metadata: not JSON",
        "saev.output.metadata; {}; : SAEV metadata: is not SAEV metadata (expected the fields",
        "saev.output.metadata; {; saev.output.metadata is \"{\": SAEV metadata: not JSON"
      })
  void aWrongValueFailsTheJobBeforeItStarts(String key, String value, String problem) {
    conf.set(key, value);
    assertThatThrownBy(() -> saev.checkOutputSpecs(job)).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saev.output.columns | rows | saev.output.columns is \"rows\" (expected layers or acts)",
        "saev.output.batch.size | -1 | saev.output.batch.size is -1 (expected at least 1)",
        "saev.output.geometry | 1;2;3 | saev.output.geometry is \"1;2;3\": it has 3 parts (expected",
        "saev.output.geometry | 1;1,1;3;4 | saev.output.geometry is \"1;1,1;3;4\"",
        "saev.output.geometry | x;1;3;4 | saev.output.geometry is \"x;1;3;4\""
      })
  void aWrongValueFailsASafetensorsJobBeforeItStarts(String key, String value, String problem) {
    conf.set(key, value);
    assertThatThrownBy(() -> safetensors.checkOutputSpecs(job))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void anOutputFolderThatExistsFailsTheJobBeforeItStarts() throws IOException {
    Files.createDirectory(output);
    assertThatThrownBy(() -> saev.checkOutputSpecs(job)).hasMessageContaining("already exists");
  }

  /** A copy of the fixture with labels, which the job is to write; returns the labels. */
  private byte[] labelled(String name) throws IOException {
    Path source = InventedFiles.copy(FIXTURE, temporary.resolve(name));
    byte[] labels = new InventedDataset(GEOMETRY, false, 7).withLabels(9).labels(0, 7);
    Files.write(source.resolve("labels.bin"), labels);
    ActivationOutputFormat.setLabels(
        conf, new org.apache.hadoop.fs.Path(source.toUri()), SaevInputFormat.class);
    return labels;
  }

  private static byte[] labels(ActivationDataset dataset) throws IOException {
    try (PatchLabels labels = dataset.openLabels()) {
      ByteBuffer found = ByteBuffer.allocate(63);
      labels.read(0, found);
      return found.array();
    }
  }

  /** Writes a dataset of one file. */
  private static void oldDataset(Path folder) throws IOException {
    String header =
        "{\"__metadata__\":{\"saev.examples\":\"1\",\"saev.first_example\":\"0\"},"
            + "\"acts\":{\"dtype\":\"F32\",\"shape\":[1,2,3],\"data_offsets\":[0,24]}}";
    ByteBuffer file = ByteBuffer.allocate(8 + header.length() + 24).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length()).put(header.getBytes(StandardCharsets.US_ASCII));
    Files.createDirectory(folder);
    Files.write(folder.resolve(OLD), file.array());
  }

  private Path publishTo(String name) {
    Path place = temporary.resolve(name);
    conf.set(OutputKeys.PUBLISH.name(), place.toUri().toString().replaceFirst("/$", ""));
    return place;
  }

  private Path onGuardedStorage() {
    FileOutputFormat.setOutputPath(job, GuardedFileSystem.path(output));
    Path place = temporary.resolve("published");
    conf.set(OutputKeys.PUBLISH.name(), GuardedFileSystem.path(place).toString());
    return place;
  }

  private OutputCommitter finishedTasks() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(saev, task, 0, 7, true);
    commitTask(saev, task);
    return committer;
  }

  private void write(ActivationOutputFormat format, boolean wholeExamples) throws Exception {
    OutputCommitter committer = setUp(format);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(format, task, 0, 7, wholeExamples);
    commitTask(format, task);
    committer.commitJob(job(conf));
  }

  private OutputCommitter setUp(ActivationOutputFormat format) throws IOException {
    TaskAttemptContext context = Tasks.attempt(conf, 0, 0);
    OutputCommitter committer = format.getOutputCommitter(context);
    committer.setupJob(job(conf));
    return committer;
  }

  private static void writeExamples(
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

  private static void commitTask(ActivationOutputFormat format, TaskAttemptContext task)
      throws IOException {
    OutputCommitter committer = format.getOutputCommitter(task);
    assertThat(committer.needsTaskCommit(task)).isTrue();
    committer.commitTask(task);
  }

  private static JobContext job(Configuration conf) {
    return Tasks.attempt(conf, 0, 0);
  }

  private static ActivationKey key(long example) {
    return new ActivationKey(example, ActivationKey.ALL, 0);
  }

  private static ActivationKey key(long example, int layerIndex) {
    return new ActivationKey(example, GEOMETRY.layers().get(layerIndex), 0);
  }

  private static ActivationWritable example(long example) {
    return new ActivationWritable(new int[] {3, 10, 16}, InventedFiles.example(GEOMETRY, example));
  }

  private static ActivationWritable block(long example, int layerIndex) {
    return new ActivationWritable(
        new int[] {10, 16}, InventedFiles.block(GEOMETRY, example, layerIndex));
  }

  private void assertInvented(Path folder) throws Exception {
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder(all(SHARDS, "shards.json", "metadata.json"));
    SaevDataset dataset = SaevDataset.open(new LocalFolder(folder));
    assertThat(dataset.warnings()).noneMatch(warning -> !warning.contains("not named by"));
    assertSameAs(new SaevInputFormat(), folder);
  }

  private static void assertSameAs(ActivationInputFormat format, Path folder) throws Exception {
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

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(output)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static String[] all(String[] names, String... more) {
    return Stream.concat(Stream.of(names), Stream.of(more)).toArray(String[]::new);
  }
}
