package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.mapreduce.OutputJob.FIXTURE;
import static org.saevhadoop.mapreduce.OutputJob.GEOMETRY;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.CommittedFiles;
import org.saevhadoop.mapreduce.publish.run.Leftovers;
import org.saevhadoop.mapreduce.publish.run.RunFolder;
import org.saevhadoop.mapreduce.publish.run.RunPaths;
import org.saevhadoop.mapreduce.publish.run.RunRecord;

/** Commit in the folder of a run: it may be interrupted anywhere and repeated. */
class RunCommitTest {
  @TempDir Path temporary;
  private final SaevOutputFormat format = new SaevOutputFormat();
  private final Configuration conf = new Configuration(false);
  private Path published;
  private RunFolder run;

  @BeforeEach
  void claimTheFolder() throws IOException {
    published = temporary.resolve("out");
    SaevOutputFormat.setMetadata(conf, Files.readAllBytes(FIXTURE.resolve("metadata.json")));
    ConfSettings.set(conf, OutputKeys.PUBLISH, "file:" + published);
    run = claim(false, Map.of());
  }

  @AfterEach
  void release() throws IOException {
    run.close();
  }

  private RunFolder claim(boolean resume, Map<String, String> settings) throws IOException {
    org.apache.hadoop.fs.Path place =
        RunPaths.of(new org.apache.hadoop.fs.Path("file:" + published));
    RunRecord record =
        RunRecord.of(
            "file:" + published,
            RunPaths.data(place).toString(),
            "source",
            "me",
            "state",
            settings);
    Leftovers leftovers = new Leftovers(resume, false, message -> {});
    RunFolder claimed = RunFolder.claim(place, record, job -> false, leftovers, conf);
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
    Path data = Path.of(run.data().toUri());
    Path folder = data.getParent();
    switch (interruption) {
      case BEFORE_IT_BEGINS -> {}
      case IN_A_DOCUMENT -> Files.writeString(data.resolve("_shards.json"), "[{");
      case BEFORE_THE_LAST_DOCUMENT -> {
        committer(0).commitJob(job());
        Files.move(published, data);
        Files.delete(folder.resolve("complete"));
        Files.delete(data.resolve("metadata.json"));
      }
      case BEFORE_THE_DATASET_IS_MOVED -> {
        committer(0).commitJob(job());
        Files.move(published, data);
      }
      case AFTER_THE_DATASET_WAS_MOVED -> committer(0).commitJob(job());
      case WHILE_A_DATASET_IS_REPLACED -> {
        committer(0).commitJob(job());
        Files.move(published, data);
        Files.createDirectory(folder.resolve("replaced"));
      }
      case BEFORE_THE_REPLACED_DATASET_IS_DELETED -> {
        committer(0).commitJob(job());
        Files.createDirectory(folder.resolve("replaced"));
      }
      default -> throw new AssertionError(interruption);
    }
    OutputCommitter second = committer(1);
    second.setupJob(job());
    second.commitJob(job());
    assertPublished();
    assertThat(folder.resolve("replaced")).doesNotExist();
    assertThat(data).doesNotExist();
  }

  @Test
  void theCommitOfARunCanBeRepeatedAndItsTasksRecovered() throws Exception {
    assertThat(committer(0).isCommitJobRepeatable(job())).isTrue();
    assertThat(committer(0).isRecoverySupported(job())).isTrue();
  }

  @Test
  void theCommitOfAUserWrittenJobIsNotRepeatable() throws Exception {
    setUserWritten();
    assertThat(committer(0).isCommitJobRepeatable(job())).isFalse();
  }

  @Test
  void filesOfCommittedTasksStayWhenTheJobIsAborted() throws Exception {
    OutputCommitter committer = committer(0);
    committer.setupJob(job());
    writeTask(0, 2, 4);
    write(1, 4, 6); // not committed
    committer.abortJob(job(), JobStatus.State.FAILED);
    assertThat(files(Path.of(run.data().toUri()))).containsExactly("acts000001.bin");
    assertThat(files(Path.of(run.path().toUri())))
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
    OutputCommitter committer = committer(0);
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
    committer(0).setupJob(job());
    writeTask(0, 2, 4);
    String first = run.record().id();
    run.close();
    run = claim(true, Map.of());
    assertThat(run.resumed().orElseThrow().id()).isEqualTo(first);
    committer(0).setupJob(job());
    writeTask(0, 0, 2);
    writeTask(1, 4, 7);
    committer(0).commitJob(job());
    assertPublished();
    run.markFinal();
    run.close();
    assertThat(files(temporary)).containsExactly("out");
  }

  @Test
  void aFileOfAnotherLengthIsMissing() throws Exception {
    committer(0).setupJob(job());
    writeTask(0, 0, 7);
    Files.write(Path.of(run.data().toUri()).resolve("acts000003.bin"), new byte[3]);
    assertThat(committed().missing()).containsExactly(new ExampleRange(6, 1));
  }

  @Test
  void aRunWithOtherSettingsDoesNotContinue() throws Exception {
    committer(0).setupJob(job());
    writeTask(0, 2, 4);
    run.close();
    assertFails(
        FileError.NOT_RESUMABLE,
        Path.of(run.path().toUri()),
        () -> claim(true, Map.of("saev.output.tail", "exact")));
    assertThat(files(Path.of(run.data().toUri()))).containsExactly("acts000001.bin");
  }

  @Test
  void aRunWithoutCompleteFilesLeavesNothing() throws Exception {
    committer(0).setupJob(job());
    run.close();
    assertThat(files(temporary)).isEmpty();
  }

  @Test
  void anAttemptOfARunThatWasTakenOverCommitsNothing() throws Exception {
    committer(0).setupJob(job());
    writeTask(0, 2, 4);
    write(1, 0, 2);
    Configuration old = new Configuration(conf);
    run.close();
    run = claim(true, Map.of());
    OutputCommitter late = format.getOutputCommitter(Tasks.attempt(old, 1, 0));
    assertThatThrownBy(() -> late.commitTask(Tasks.attempt(old, 1, 0)))
        .hasMessageContaining("was taken over by another run");
    assertThat(files(Path.of(run.data().toUri()))).containsExactly("acts000001.bin");
  }

  @Test
  void aSecondAttemptReplacesTheFilesOfTheFirst() throws Exception {
    committer(0).setupJob(job());
    Path shard = Path.of(run.data().toUri()).resolve("acts000000.bin");
    writeTask(0, 0, 2);
    Files.writeString(shard, "half", StandardCharsets.US_ASCII);
    writeTask(0, 0, 7);
    committer(0).commitJob(job());
    assertPublished();
  }

  private CommittedFiles committed() throws IOException {
    return CommittedFiles.in(
        new LocalFolder(Path.of(run.data().toUri())), format.write(conf).plan());
  }

  private void assertPublished() throws IOException {
    SaevDataset dataset = SaevDataset.open(new LocalFolder(published));
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(files(published))
        .containsExactlyInAnyOrder(
            "acts000000.bin",
            "acts000001.bin",
            "acts000002.bin",
            "acts000003.bin",
            "metadata.json",
            "shards.json");
    for (int shard = 0; shard < 4; shard++) {
      byte[] bytes = Files.readAllBytes(published.resolve("acts00000" + shard + ".bin"));
      ByteBuffer first = ByteBuffer.wrap(bytes, 0, (int) GEOMETRY.exampleBytes());
      assertThat(first).isEqualTo(InventedFiles.example(GEOMETRY, shard * 2L));
    }
  }

  private void writeAll() throws Exception {
    committer(0).setupJob(job());
    writeTask(0, 0, 4);
    writeTask(1, 4, 7);
  }

  private OutputCommitter committer(int attempt) throws IOException {
    return format.getOutputCommitter(Tasks.attempt(conf, 0, attempt));
  }

  private TaskAttemptContext job() {
    return Tasks.attempt(conf, 0, 0);
  }

  private void writeTask(int task, long from, long to) throws Exception {
    write(task, from, to);
    OutputCommitter committer = format.getOutputCommitter(Tasks.attempt(conf, task, 0));
    assertThat(committer.needsTaskCommit(Tasks.attempt(conf, task, 0))).isTrue();
    committer.commitTask(Tasks.attempt(conf, task, 0));
  }

  private void write(int task, long from, long to) throws Exception {
    TaskAttemptContext context = Tasks.attempt(conf, task, 0);
    Tasks.write(format, context, GEOMETRY, from, to);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
