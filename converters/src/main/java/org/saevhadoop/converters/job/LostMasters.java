package org.saevhadoop.converters.job;

import org.saevhadoop.converters.console.Console;

/**
 * Jobs whose application master the cluster has lost. They are followed by another job, once, and
 * again as long as the last one has completed files.
 */
public final class LostMasters {
  private final Console console;
  private boolean repeated;

  /** Creates a count of lost application masters, which is zero. */
  public LostMasters(Console console) {
    this.console = console;
  }

  /**
   * Returns if another job is to be submitted, of which the user is warned.
   *
   * @param progressed whether the job has completed files
   * @param missing what the next job writes
   * @throws JobRun.Failed if no other job is to be submitted
   */
  public void survive(JobRun.Failed failure, boolean progressed, String missing)
      throws JobRun.Failed {
    if (!failure.lostMaster() || repeated && !progressed) {
      throw failure;
    }
    repeated = true;
    console.warn(
        "%s; the job is submitted again, for the %s that are missing"
            .formatted(failure.getMessage(), missing));
  }

  /** Returns whether a job has been followed by another. */
  public boolean isRepeated() {
    return repeated;
  }
}
