package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/** A committer that passes every call to another one; subclasses change some of them. */
abstract class ForwardingCommitter extends PathOutputCommitter {
  private final PathOutputCommitter committer;

  ForwardingCommitter(Path output, PathOutputCommitter committer, TaskAttemptContext context)
      throws IOException {
    super(output, context);
    this.committer = committer;
  }

  /** Returns the committer to which calls are passed. */
  final PathOutputCommitter committer() {
    return committer;
  }

  @Override
  public Path getOutputPath() {
    return committer.getOutputPath();
  }

  @Override
  public Path getWorkPath() throws IOException {
    return committer.getWorkPath();
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    committer.setupJob(job);
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    committer.commitJob(job);
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    committer.abortJob(job, state);
  }

  @Override
  public boolean isCommitJobRepeatable(JobContext job) throws IOException {
    return committer.isCommitJobRepeatable(job);
  }

  @Override
  public void setupTask(TaskAttemptContext task) throws IOException {
    committer.setupTask(task);
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return committer.needsTaskCommit(task);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    committer.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    committer.abortTask(task);
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return committer.isRecoverySupported(job);
  }

  @Override
  public void recoverTask(TaskAttemptContext task) throws IOException {
    committer.recoverTask(task);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " over " + committer;
  }
}
