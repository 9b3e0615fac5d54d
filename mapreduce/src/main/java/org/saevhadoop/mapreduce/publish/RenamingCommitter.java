package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.mapreduce.io.HadoopPath;

/** Commits the {@link TaskFiles} of a Hadoop job. */
public final class RenamingCommitter extends PathOutputCommitter {
  private final TaskFiles files;
  private final TaskAttemptContext context;

  /** Creates a committer. */
  public RenamingCommitter(TaskFiles files, TaskAttemptContext context) throws IOException {
    super(HadoopPath.hadoop(files.target()), context);
    this.files = files;
    this.context = context;
  }

  @Override
  public Path getOutputPath() {
    return HadoopPath.hadoop(files.target());
  }

  @Override
  public Path getWorkPath() {
    return HadoopPath.hadoop(files.folder(attempt(context)));
  }

  private static String attempt(TaskAttemptContext task) {
    return task.getTaskAttemptID().toString();
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    files.setUp();
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    // the record writer creates the folder of the task before its first file
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return files.isWritten(attempt(task));
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    files.commit(attempt(task), task::progress);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    files.abort(attempt(task));
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    files.end();
  }

  /** Removes the files of uncommitted tasks, and leaves the files of committed ones. */
  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    files.end();
  }

  @Override
  public boolean isRecoverySupported(JobContext job) {
    return true;
  }

  /** Does nothing, because the files of a committed task are already in the target folder. */
  @Override
  public void recoverTask(TaskAttemptContext task) {}

  @Override
  public boolean isCommitJobRepeatable(JobContext job) {
    return true;
  }
}
