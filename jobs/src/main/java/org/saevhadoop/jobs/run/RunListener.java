package org.saevhadoop.jobs.run;

import org.saevhadoop.format.api.PublicApi;

/**
 * Receives events while a verb, such as a conversion, runs. By default, events are ignored. Methods
 * may be called by any thread, but not by two threads at the same time for the same run.
 */
@PublicApi
public interface RunListener {
  /** A listener that does nothing. */
  RunListener NONE = new RunListener() {};

  /** Accepts a message about the progress of the work: one line of plain text. */
  default void message(String line) {}

  /** Accepts a detail of the work that most users do not need: one line of plain text. */
  default void detail(String line) {}

  /** Accepts a warning: one line of plain text. */
  default void warning(String line) {}

  /**
   * Accepts the state in which a signal leaves a run: one line of plain text. The JVM ends soon,
   * and further events are consequences of this.
   */
  default void stopped(String line) {
    warning(line);
  }

  /** Called when a job has been submitted. */
  default void job(RunningJob job) {}

  /**
   * Called repeatedly while a job runs.
   *
   * @param done the number of bytes that its tasks have read
   * @param total the number of bytes that the tasks will have read at the end
   */
  default void progress(RunningJob job, long done, long total) {}

  /** Called when a job has ended, with or without success. */
  default void result(FinishedJob job) {}
}
