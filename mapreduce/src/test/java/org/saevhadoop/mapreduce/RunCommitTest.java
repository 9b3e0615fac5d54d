package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.mapreduce.OutputJob.GEOMETRY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.CommittedFiles;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/** Commit in the folder of a run: it may be interrupted anywhere and repeated. */
class RunCommitTest extends RunJob {
  private RunFolder run;

  @BeforeEach
  void claimTheFolder() throws IOException {
    ConfSettings.set(conf, OutputKeys.PUBLISH, "file:" + published);
    run = claim(false, Map.of());
  }

  @AfterEach
  void release() throws IOException {
    run.close();
  }

  private RunFolder claim(boolean resume, Map<String, String> settings) throws IOException {
    StoragePath place = RunPaths.of(new LocalPath(published));
    RunRecord record =
        RunRecord.of(
            "file:" + published,
            RunPaths.data(place).qualified(),
            "source",
            "me",
            "state",
            settings);
    Leftovers leftovers = new Leftovers(resume, false, message -> {});
    RunFolder claimed =
        RunFolder.claim(place, record, job -> false, leftovers, HadoopRunStorage.of(place, conf));
    ConfSettings.set(conf, OutputKeys.RUN, record.id());
    return claimed;
  }

  /** The states in which an application master may die while it commits. */
  enum Interruption {
    BEFORE_IT_BEGINS,
    IN_A_DOCUMENT,
    BEFORE_THE_LAST_DOCUMENT,
    BEFORE_THE_DATASET_IS_MOVED,
    AFTER_THE_DATASET_WAS_MOVED,
    WHILE_A_DATASET_IS_REPLACED,
    BEFORE_THE_REPLACED_DATASET_IS_DELETED
  }

  @ParameterizedTest
  @EnumSource
  void aCommitThatWasInterruptedAnywhereIsRepeated(Interruption interruption) throws Exception {
    ConfSettings.set(conf, OutputKeys.REPLACE, true);
    writeAll();
    Path data = Path.of(run.data().shown());
    Path folder = data.getParent();
    switch (interruption) {
      case BEFORE_IT_BEGINS -> {}
      case IN_A_DOCUMENT -> Files.writeString(data.resolve("_shards.json"), "[{");
      case BEFORE_THE_LAST_DOCUMENT -> {
        commitJob();
        Files.move(published, data);
        Files.delete(folder.resolve("complete"));
        Files.delete(data.resolve("metadata.json"));
      }
      case BEFORE_THE_DATASET_IS_MOVED -> {
        commitJob();
        Files.move(published, data);
      }
      case AFTER_THE_DATASET_WAS_MOVED -> commitJob();
      case WHILE_A_DATASET_IS_REPLACED -> {
        commitJob();
        Files.move(published, data);
        Files.createDirectory(folder.resolve("replaced"));
      }
      case BEFORE_THE_REPLACED_DATASET_IS_DELETED -> {
        commitJob();
        Files.createDirectory(folder.resolve("replaced"));
      }
      default -> throw new AssertionError(interruption);
    }
    OutputCommitter second = format.getOutputCommitter(Tasks.attempt(conf, 0, 1));
    second.setupJob(job());
    second.commitJob(job());
    assertPublished();
    assertThat(folder.resolve("replaced")).doesNotExist();
    assertThat(data).doesNotExist();
  }

  @Test
  void theCommitOfARunCanBeRepeatedAndItsTasksRecovered() throws Exception {
    assertThat(committer().isCommitJobRepeatable(job())).isTrue();
    assertThat(committer().isRecoverySupported(job())).isTrue();
  }

  @Test
  void theCommitOfAUserWrittenJobIsNotRepeatable() throws Exception {
    setUserWritten();
    assertThat(committer().isCommitJobRepeatable(job())).isFalse();
  }

  @Test
  void filesOfCommittedTasksStayWhenTheJobIsAborted() throws Exception {
    OutputCommitter committer = committer();
    committer.setupJob(job());
    writeTask(0, 2, 4);
    write(1, 0, 4, 6); // not committed
    committer.abortJob(job(), JobStatus.State.FAILED);
    assertThat(Tasks.files(Path.of(run.data().shown()))).containsExactly("acts000001.bin");
    assertThat(Tasks.files(Path.of(run.path().shown())))
        .containsExactlyInAnyOrder("data", "lock", "run.json");
    assertThat(committed())
        .isEqualTo(
            new CommittedFiles(
                1,
                2 * GEOMETRY.exampleBytes(),
                List.of(new ExampleRange(0, 2), new ExampleRange(4, 3))));
  }

  private void setUserWritten() {
    conf.unset(OutputKeys.RUN.name());
    conf.unset(OutputKeys.PUBLISH.name());
    conf.set("mapreduce.output.fileoutputformat.outputdir", temporary.resolve("own").toString());
  }

  /** After any other exception, LocalJobRunner (Hadoop 3.4 and 3.5) never ends its job. */
  @Test
  void anAbortThatFailsOnAStorageFailsWithAnIoException() throws Exception {
    setUserWritten();
    conf.setClass("fs.file.impl", UndeletingFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    OutputCommitter committer = committer();
    committer.setupJob(job());
    assertThatThrownBy(() -> committer.abortJob(job(), JobStatus.State.FAILED))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot delete");
  }

  /** A storage that fails with an unchecked exception. */
  public static final class UndeletingFileSystem extends RawLocalFileSystem {
    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) {
      throw new IllegalStateException("cannot delete " + path);
    }
  }

  @Test
  void aLaterRunContinuesWithTheFilesThatAreMissing() throws Exception {
    committer().setupJob(job());
    writeTask(0, 2, 4);
    String first = run.record().id();
    run.close();
    run = claim(true, Map.of());
    assertThat(run.resumed().orElseThrow().id()).isEqualTo(first);
    committer().setupJob(job());
    writeTask(0, 0, 2);
    writeTask(1, 4, 7);
    commitJob();
    assertPublished();
    run.markPublished();
    run.close();
    assertThat(Tasks.files(temporary)).containsExactly("out");
  }

  @Test
  void aFileOfAnotherLengthIsMissing() throws Exception {
    committer().setupJob(job());
    writeTask(0, 0, 7);
    Files.write(Path.of(run.data().shown()).resolve("acts000003.bin"), new byte[3]);
    assertThat(committed().missing()).containsExactly(new ExampleRange(6, 1));
  }

  @Test
  void aRunWithOtherSettingsDoesNotContinue() throws Exception {
    committer().setupJob(job());
    writeTask(0, 2, 4);
    run.close();
    assertFails(
        FileError.NOT_RESUMABLE,
        Path.of(run.path().shown()),
        () -> claim(true, Map.of("saev.output.tail", "exact")));
    assertThat(Tasks.files(Path.of(run.data().shown()))).containsExactly("acts000001.bin");
  }

  @Test
  void aRunWithoutCompleteFilesLeavesNothing() throws Exception {
    committer().setupJob(job());
    run.close();
    assertThat(Tasks.files(temporary)).isEmpty();
  }

  @Test
  void anAttemptOfARunThatWasTakenOverCommitsNothing() throws Exception {
    committer().setupJob(job());
    writeTask(0, 2, 4);
    write(1, 0, 0, 2);
    Configuration old = new Configuration(conf);
    run.close();
    run = claim(true, Map.of());
    OutputCommitter late = format.getOutputCommitter(Tasks.attempt(old, 1, 0));
    assertThatThrownBy(() -> late.commitTask(Tasks.attempt(old, 1, 0)))
        .hasMessageContaining("was taken over by another run");
    assertThat(Tasks.files(Path.of(run.data().shown()))).containsExactly("acts000001.bin");
  }

  @Test
  void aSecondAttemptReplacesTheFilesOfTheFirst() throws Exception {
    committer().setupJob(job());
    Path shard = Path.of(run.data().shown()).resolve("acts000000.bin");
    writeTask(0, 0, 2);
    Files.writeString(shard, "half", StandardCharsets.US_ASCII);
    writeTask(0, 0, 7);
    commitJob();
    assertPublished();
  }

  private CommittedFiles committed() throws IOException {
    return CommittedFiles.in(
        new LocalFolder(Path.of(run.data().shown())), format.write(conf).plan());
  }
}
