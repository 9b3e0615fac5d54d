package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.List;

/**
 * A verb whose sources have been found. The code that does the work also describes it, so a dry run
 * is a verb that is not run.
 *
 * @param <R> the result
 */
public interface Prepared<R> {
  /**
   * Returns the plans of {@link #run}, after the same checks: one for each dataset that would be
   * written, or a single plan if no dataset would be written. Nothing is written, and no job is
   * submitted.
   *
   * @throws IOException if the verb would fail before its first job
   */
  List<RunPlan> describe() throws IOException, InterruptedException;

  /**
   * Runs the verb.
   *
   * @throws IOException if a source is malformed, a destination cannot be written, or a job fails;
   *     the message is one line
   * @throws InterruptedException if the thread is interrupted; its jobs have already been killed
   */
  R run() throws IOException, InterruptedException;
}
