package org.saevhadoop.jobs.run;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.Task;

/**
 * The output of a job, and the result for its caller.
 *
 * @param <R> the result
 */
public interface JobOutput<R> {
  /**
   * Sets the output format and its settings.
   *
   * @param temporary a folder for the output of this job, which does not exist yet and is deleted
   *     after {@link #result}; null if the output {@linkplain #isTemporary is not temporary}
   */
  void prepare(Job job, @Nullable Path temporary) throws IOException;

  /** Returns the result of a job that has succeeded. */
  R result(Job job, FinishedJob finished, @Nullable Path temporary) throws IOException;

  /** Returns whether all output is in a temporary folder, so that a lost job can be repeated. */
  default boolean isTemporary() {
    return true;
  }

  /**
   * Returns the output for threads of this process.
   *
   * @param task the class of the tasks; null if the tasks pass on their records
   */
  LocalOutput<R> local(@Nullable Class<? extends Task> task, JobRunner runner) throws IOException;

  /** Files that tasks write and commit; the result for the caller is the finished job. */
  interface OfFiles extends JobOutput<FinishedJob> {
    @Override
    default boolean isTemporary() {
      return false;
    }

    @Override
    default FinishedJob result(Job job, FinishedJob finished, @Nullable Path temporary) {
      return finished;
    }
  }
}
