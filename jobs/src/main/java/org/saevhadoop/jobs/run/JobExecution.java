package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;

/**
 * One way to run a job.
 *
 * @param <R> the result of the job
 */
interface JobExecution<R> extends Closeable {
  /**
   * Returns the plan of {@link #run}, after the checks that precede it. Nothing is written.
   *
   * @throws IOException if the job would not be run
   */
  JobPlan plan() throws IOException, InterruptedException;

  /**
   * Runs the job and returns its result.
   *
   * @throws JobFailedException if the job ends without success
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  R run() throws IOException, InterruptedException;

  @Override
  default void close() throws IOException {}
}
