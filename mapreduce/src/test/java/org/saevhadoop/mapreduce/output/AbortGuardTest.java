package org.saevhadoop.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbortGuardTest {
  private final TaskAttemptContext task =
      new TaskAttemptContextImpl(
          new Configuration(), new TaskAttemptID("guard", 1, TaskType.MAP, 0, 0));
  private final AtomicBoolean ending = new AtomicBoolean();

  @Test
  void theFilesOfTasksOutliveTheEndOfTheMasterAndNotThatOfTheJob(@TempDir java.nio.file.Path folder)
      throws Exception {
    Path output = new Path(folder.toUri());
    AbortGuard guard = new AbortGuard(new FileOutputCommitter(output, task), task, ending::get);
    FileSystem fs = output.getFileSystem(task.getConfiguration());
    guard.setupJob(task);
    guard.setupTask(task);
    fs.create(new Path(guard.getWorkPath(), "part")).close();

    ending.set(true);
    guard.abortJob(task, JobStatus.State.KILLED);
    assertThat(guard.needsTaskCommit(task)).isTrue();

    ending.set(false);
    guard.abortJob(task, JobStatus.State.KILLED);
    assertThat(guard.needsTaskCommit(task)).isFalse();
    assertThat(fs.exists(guard.getWorkPath())).isFalse();
  }

  @Test
  void aJobIsCommittedAndRecoveredByTheOtherCommitter(@TempDir java.nio.file.Path folder)
      throws Exception {
    Path output = new Path(folder.toUri());
    FileOutputCommitter files = new FileOutputCommitter(output, task);
    AbortGuard guard = new AbortGuard(files, task);
    guard.setupJob(task);
    try (var out =
        output
            .getFileSystem(task.getConfiguration())
            .create(new Path(guard.getWorkPath(), "part"))) {
      out.write(7);
    }
    guard.commitTask(task);
    guard.commitJob(task);
    assertThat(folder.resolve("part")).hasBinaryContent(new byte[] {7});
    assertThat(guard.isRecoverySupported(task)).isEqualTo(files.isRecoverySupported(task));
    assertThat(guard.isCommitJobRepeatable(task)).isEqualTo(files.isCommitJobRepeatable(task));
    assertThat(guard.getOutputPath()).isEqualTo(files.getOutputPath());
  }
}
