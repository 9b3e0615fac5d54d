package org.saevhadoop.jobs.convert;

import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.jobs.run.JobFailedException;

/** The effect of a failure on the folder of a run. */
public final class RunFailure {
  private RunFailure() {}

  /**
   * Records that a run has failed. If the data is at fault, so that a retry would fail in the same
   * way, nothing in the folder is kept. This does not apply to a missing file, which may reappear.
   */
  public static void record(RunFolder run, Exception failure) {
    if (JobFailedException.isBadData(failure) && !isOfMissingFile(failure)) {
      run.markUseless();
    }
  }

  private static boolean isOfMissingFile(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException e) {
        return e.kind() == FileError.NOT_FOUND;
      }
    }
    return false;
  }
}
