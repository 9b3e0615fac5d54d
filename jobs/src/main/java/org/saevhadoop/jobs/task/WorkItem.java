package org.saevhadoop.jobs.task;

import java.io.IOException;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.io.ByteMeter;

/**
 * A part of a job that is not a range of examples, such as some files. It is run by threads of this
 * process; Hadoop tasks do the same work for an input split.
 */
public interface WorkItem {
  /** Returns the number of bytes that the work item reads. */
  long bytes();

  /**
   * Returns the fraction of the work that is done.
   *
   * @param read the number of bytes that were read; some may be counted twice
   */
  default double progress(long read) {
    return (double) read / Math.max(1, bytes());
  }

  /**
   * Does the work.
   *
   * @param read counts the bytes that are read
   * @return the changes to values
   */
  ConversionChanges run(ByteMeter read, TaskOutput output) throws IOException, InterruptedException;
}
