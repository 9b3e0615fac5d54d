package org.saevhadoop.jobs.run;

/**
 * Jobs whose application master the cluster has lost. They are followed by another job, once, and
 * again as long as the last one has completed files.
 */
public final class LostMasters {
  private final RunListener listener;
  private boolean repeated;

  public LostMasters(RunListener listener) {
    this.listener = listener;
  }

  /**
   * Warns the user and returns if the job should be submitted again; otherwise rethrows.
   *
   * @param progressed whether the job has completed files
   * @param missing what the next job writes, such as {@code files}; empty for a job whose only
   *     output is its result
   */
  public void resubmitOrThrow(JobFailedException failure, boolean progressed, String missing)
      throws JobFailedException {
    if (!failure.lostMaster() || repeated && !progressed) {
      throw failure;
    }
    repeated = true;
    listener.warning(
        failure.getMessage()
            + "; the job is submitted again"
            + (missing.isEmpty() ? "" : ", for the %s that are missing".formatted(missing)));
  }
}
