package org.saevhadoop.jobs.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a job failure in the local runner, which reports the cause only in its log, in an
 * entry whose message is the job id.
 */
final class LocalFailure extends AppenderSkeleton implements AutoCloseable {
  private static final Logger RUNNER = Logger.getLogger(LocalJobRunner.class);

  /** The maximum time between the failure of a job and the log entry about its cause. */
  private static final long MAX_MILLIS = 2000;

  private final Map<String, Throwable> failures = new ConcurrentHashMap<>();

  LocalFailure() {
    RUNNER.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getThrowableInformation() != null) {
      failures.put(event.getRenderedMessage(), event.getThrowableInformation().getThrowable());
    }
  }

  /**
   * Waits for the cause of a failure, which the runner logs shortly after it reports the failure.
   * Returns null if no cause is logged.
   */
  @Nullable Throwable await(JobID job) throws InterruptedException {
    for (long waited = 0;
        !failures.containsKey(job.toString()) && waited < MAX_MILLIS;
        waited += LocalRunner.POLL_MILLIS) {
      Thread.sleep(LocalRunner.POLL_MILLIS);
    }
    return failures.get(job.toString());
  }

  @Override
  public void close() {
    RUNNER.removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
