package org.saevhadoop.jobs.task;

import java.io.IOException;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.io.ByteMeter;

/** The work of a task in this process on its records or work item, and the output of the task. */
public interface TaskAttempt {
  /** Reads the records of the task and writes its output. */
  void run(TaskInput input) throws IOException, InterruptedException;

  /**
   * Executes a work item, which writes the output.
   *
   * @param read counts the bytes that are read
   * @return the changes to values
   */
  default ConversionChanges run(WorkItem item, ByteMeter read)
      throws IOException, InterruptedException {
    throw new UnsupportedOperationException("the output takes the records of examples only");
  }

  /** Commits the output, after the task has succeeded. */
  void commit() throws IOException;

  /** Removes the output, after the task or {@link #commit} has failed. */
  default void abort() throws IOException {}

  /** Returns the number of bytes that have been written or compared so far. */
  default long bytes() {
    return 0;
  }
}
