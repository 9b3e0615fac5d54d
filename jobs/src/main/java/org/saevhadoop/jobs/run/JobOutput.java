package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.SpooledRecords;
import org.saevhadoop.jobs.task.Task;

/**
 * The output of a job, and what its caller gets.
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

  /**
   * Returns whether all output is in a temporary folder, so that a job that was lost can be
   * repeated as it is.
   */
  default boolean isTemporary() {
    return true;
  }

  /**
   * Returns the output for threads of this process; null if only tasks of Hadoop can write it.
   *
   * @param task the class of the tasks; null if they pass their records on
   * @param scratch returns a folder for temporary files
   */
  default @Nullable LocalOutput<R> local(
      @Nullable Class<? extends Task> task, SpooledRecords.Scratch scratch) throws IOException {
    return null;
  }

  /**
   * Returns an output that the job writes, so that its caller gets no result but its end.
   *
   * @param preparation sets the output format and its settings
   */
  static JobOutput<FinishedJob> written(Consumer<Job> preparation) {
    return new JobOutput<>() {
      @Override
      public void prepare(Job job, @Nullable Path temporary) {
        preparation.accept(job);
      }

      @Override
      public boolean isTemporary() {
        return false;
      }

      @Override
      public FinishedJob result(Job job, FinishedJob finished, @Nullable Path temporary) {
        return finished;
      }
    };
  }
}
