package org.saevhadoop.jobs.task;

import java.io.IOException;

/** What a task of this process does with its records, and its output. */
public interface TaskAttempt {
  /** Reads the records of the task and writes its output. */
  void run(TaskInput input) throws IOException, InterruptedException;

  /** Commits the output, after {@link #run} has succeeded. */
  void commit() throws IOException;

  /** Removes the output, after {@link #run} or {@link #commit} has failed. */
  default void abort() throws IOException {}

  /** Returns the number of bytes that were written or compared so far. */
  default long bytes() {
    return 0;
  }
}
