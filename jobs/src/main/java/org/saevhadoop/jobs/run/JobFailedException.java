package org.saevhadoop.jobs.run;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ExternalException;
import org.saevhadoop.format.io.FormatException;

/** A job failed. The message is the reason for the failure, on one line. */
public final class JobFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean lostMaster;

  JobFailedException(String message, @Nullable Throwable cause, boolean lostMaster) {
    super(message, cause);
    this.lostMaster = lostMaster;
  }

  /**
   * Returns whether the application master died as often as the cluster permits, while the job
   * itself had not failed: the state of the application is FAILED. The job may succeed if it is
   * submitted again.
   */
  public boolean lostMaster() {
    return lostMaster;
  }

  /** Returns whether the data caused the failure, so that a retry would fail in the same way. */
  public static boolean isBadData(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException) {
        return !(cause instanceof ExternalException);
      }
    }
    // only the text is known of an exception in a task on a cluster
    return failure instanceof JobFailedException
        && failure.getCause() != null
        && String.valueOf(failure.getCause().getMessage())
            .contains(FormatException.class.getName() + ": ");
  }
}
