package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.mapreduce.io.DatasetCounter;

/**
 * The output of a job whose tasks are threads of this process. As with a Hadoop committer, each
 * task is committed on its own, and then the job is committed.
 *
 * @param <R> the result
 */
public interface LocalOutput<R> extends Closeable {
  /** Prepares the output, before the first task runs. */
  default void begin() throws IOException {}

  /**
   * Returns the only attempt of a task.
   *
   * @param task the number of the task, counted from 0 in the order of the examples
   */
  TaskAttempt attempt(int task) throws IOException;

  /** Commits the job after all tasks have been committed. */
  default void commit() throws IOException {}

  /** Removes files that were not committed, after a task or the commit of the job has failed. */
  default void abort() throws IOException {}

  /** Returns the result of a job that has succeeded. */
  R result(FinishedJob finished) throws IOException;

  /** Returns the counter for the output bytes of the tasks; null if these bytes are not counted. */
  default @Nullable DatasetCounter counter() {
    return null;
  }

  @Override
  default void close() throws IOException {}
}
