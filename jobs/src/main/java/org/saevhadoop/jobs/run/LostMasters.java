package org.saevhadoop.jobs.run;

import java.io.IOException;

/**
 * Jobs whose application master the cluster has lost. After a job is lost, another one is
 * submitted: once in any case, and again as long as the last job has made progress.
 */
public record LostMasters(RunListener listener) {
  /** Submits one job and waits for its end. */
  @FunctionalInterface
  public interface Attempt<R> {
    R run() throws IOException, InterruptedException;
  }

  /** Counts the completed files. */
  @FunctionalInterface
  public interface Progress {
    long count() throws IOException;
  }

  /**
   * Submits jobs until one does not lose its application master.
   *
   * @param attempt submits the job for the missing files
   * @param complete counts the files that jobs have completed
   * @param missing a noun for the output of the next job, such as {@code files}; empty for a job
   *     whose only output is its result
   * @throws JobFailedException if a job fails for another reason, or if its master is lost again
   *     without progress
   */
  public <R> R repeat(Attempt<R> attempt, Progress complete, String missing)
      throws IOException, InterruptedException {
    boolean repeated = false;
    while (true) {
      long before = complete.count();
      try {
        return attempt.run();
      } catch (JobFailedException e) {
        if (!e.lostMaster() || repeated && complete.count() <= before) {
          throw e;
        }
        repeated = true;
        listener.warning(
            e.getMessage()
                + "; the job is submitted again"
                + (missing.isEmpty() ? "" : ", for the %s that are missing".formatted(missing)));
      }
    }
  }
}
