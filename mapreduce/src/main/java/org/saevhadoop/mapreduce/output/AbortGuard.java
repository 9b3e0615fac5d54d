package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Keeps the end of an application master from being the end of its job. The shutdown hook of {@code
 * MRAppMaster} (Hadoop 3.4 and 3.5) calls {@code abortJob} whenever its JVM ends: five seconds
 * after a job that succeeded, when the next job may already write to the same folder, and before
 * another attempt of the master that is to recover the tasks. A job that has really failed or was
 * killed is aborted before the JVM ends.
 */
public final class AbortGuard extends ForwardingCommitter {
  private final BooleanSupplier endOfJvm;

  /** Creates a committer that passes all calls to another one but such an abort. */
  public AbortGuard(PathOutputCommitter committer, TaskAttemptContext context) throws IOException {
    this(committer, context, AbortGuard::isEndOfJvm);
  }

  AbortGuard(PathOutputCommitter committer, TaskAttemptContext context, BooleanSupplier endOfJvm)
      throws IOException {
    super(committer.getOutputPath(), committer, context);
    this.endOfJvm = endOfJvm;
  }

  /** Returns whether an abort comes from the end of the JVM, and not from that of the job. */
  static boolean isEndOfJvm() {
    return ShutdownHookManager.get().isShutdownInProgress();
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    if (!endOfJvm.getAsBoolean()) {
      super.abortJob(job, state);
    }
  }
}
