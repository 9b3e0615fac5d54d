package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * A committer that passes calls to another one, but does not abort a job merely because its
 * application master ends. The shutdown hook of {@code MRAppMaster} (Hadoop 3.4 and 3.5) calls
 * {@code abortJob} whenever its JVM ends: five seconds after a job that succeeded, when the next
 * job may already write to the same folder, and before another attempt of the master that is to
 * recover the tasks. A job that has really failed or was killed is aborted before the JVM ends.
 */
public class AbortGuard extends PathOutputCommitter {
  private final PathOutputCommitter committer;
  private final BooleanSupplier endOfJvm;

  /**
   * Creates a committer that passes all calls to another one, except aborts that are caused only by
   * the end of the JVM.
   */
  public AbortGuard(PathOutputCommitter committer, TaskAttemptContext context) throws IOException {
    this(committer, context, AbortGuard::isEndOfJvm);
  }

  AbortGuard(PathOutputCommitter committer, TaskAttemptContext context, BooleanSupplier endOfJvm)
      throws IOException {
    super(committer.getOutputPath(), context);
    this.committer = committer;
    this.endOfJvm = endOfJvm;
  }

  /** Returns whether an abort is caused by the end of the JVM rather than the end of the job. */
  static boolean isEndOfJvm() {
    return ShutdownHookManager.get().isShutdownInProgress();
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
    if (!endOfJvm.getAsBoolean()) {
      committer.abortJob(job, state);
    }
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
