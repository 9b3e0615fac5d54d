package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.mapreduce.Tasks.Order;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** What tasks and jobs leave when they are committed or aborted. */
@ResourceLock(FaultyFileSystem.SCHEME)
class OutputCommitTest extends OutputJob {
  @ParameterizedTest
  @CsvSource({"EXAMPLES, 0", "BLOCKS, 0", "EXAMPLES, 1"})
  void tasksThatWriteDifferentShardsMakeADataset(Order order, int split) throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext first = Tasks.attempt(conf, 0, 0);
    TaskAttemptContext second = Tasks.attempt(conf, 1, 0);
    long border = 4 - 2L * split;
    Tasks.write(saev, first, GEOMETRY, 0, border, order);
    Tasks.write(saev, second, GEOMETRY, border, 7, order);
    Tasks.commit(saev, second);
    Tasks.commit(saev, first);
    assertThat(names()).doesNotContain("metadata.json", SHARDS[0]);
    committer.commitJob(job(conf));

    assertThat(names()).containsExactlyInAnyOrder(all(SHARDS, "shards.json", "metadata.json"));
    assertThat(output.resolve("metadata.json")).hasBinaryContent(metadata);
    assertInvented(output);
  }

  @Test
  void aMissingShardFailsTheJobAndNoDocumentIsWritten() throws Exception {
    OutputCommitter committer = setUp(saev);
    commitExamples(0, 0, 6);
    assertFails(
        DatasetError.INCOMPLETE, output.resolve(SHARDS[3]), () -> committer.commitJob(job(conf)));
    assertThat(names()).noneMatch(name -> name.endsWith(".json"));
  }

  @Test
  void aShardOfTheWrongLengthFailsTheJobAndNoDocumentIsWritten() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext task = Tasks.attempt(conf, 0, 0);
    writeExamples(task, 0, 7);
    Path written =
        Path.of(saev.getOutputCommitter(task).getWorkPath().toUri().getPath()).resolve(SHARDS[1]);
    Files.write(written, new byte[7]);
    Tasks.commit(saev, task);
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
    writeExamples(winner, 0, 7);
    Tasks.commit(saev, winner);
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
      writeExamples(task, 0, 7);
      Tasks.commit(saev, task);
    }
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void anAbortedTaskAndAnAbortedJobLeaveNothing() throws Exception {
    OutputCommitter committer = setUp(saev);
    TaskAttemptContext aborted = Tasks.attempt(conf, 0, 0);
    writeExamples(aborted, 0, 4);
    saev.getOutputCommitter(aborted).abortTask(aborted);
    assertThat(filesBelow(output)).isEmpty();
    commitExamples(1, 4, 7);
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
    commitExamples(0, 0, 7);
    committer.commitJob(job(conf));
    assertInvented(output);
  }

  @Test
  void theFilesOfHadoopAreThereOnRequest() throws Exception {
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", true);
    write(saev);
    assertThat(names()).contains("_SUCCESS", "metadata.json");
  }

  @Test
  void filesAreNotSeenBeforeTheJobCommitsWhateverAlgorithmIsConfigured() throws Exception {
    conf.setInt("mapreduce.fileoutputcommitter.algorithm.version", 2);
    setUp(saev);
    commitExamples(0, 0, 7);
    assertThat(names()).containsExactly("_temporary");
  }
}
