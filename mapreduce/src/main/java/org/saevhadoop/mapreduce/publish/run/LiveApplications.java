package org.saevhadoop.mapreduce.publish.run;

import java.io.IOException;

/** Determines whether a job has ended: a job on YARN outlives its client. */
@FunctionalInterface
public interface LiveApplications {
  /**
   * Returns whether a job has not ended.
   *
   * @throws IOException if that cannot be determined
   */
  boolean isAlive(SubmittedJob job) throws IOException;
}
