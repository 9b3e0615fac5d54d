package org.saevhadoop.jobs.shuffle;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskType;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.shuffle.RowFormat;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The memory that a map task may use for rows: half of what its JVM may allocate.
 *
 * @param local whether tasks are threads of this process
 */
record TaskMemory(Configuration conf, boolean local) {
  static final long MAX_BYTES = 1 << 30;
  private static final String LOCAL_TASKS = "mapreduce.local.map.tasks.maximum";

  long bytes() {
    return Math.max(1, Math.min(MAX_BYTES, (local ? ofThread() : ofContainer()) / 2));
  }

  /**
   * Returns the form of the files of rows.
   *
   * @param fileRows the number of rows of a target file
   * @throws FormatException if the memory does not suffice for the rows
   */
  RowFormat format(StoragePath source, long rows, long rowBytes, long fileRows)
      throws FormatException {
    long memory = bytes();
    long sufficient = sufficient(rows, rowBytes, fileRows);
    DatasetError.TOO_LARGE.check(
        suffices(memory, rows, rowBytes, fileRows),
        source.shown(),
        "%s of rows of %s cannot be shuffled with %s of memory in a task (expected %s)",
        ByteSizes.show(rows * rowBytes),
        ByteSizes.show(rowBytes),
        ByteSizes.show(memory),
        suffices(sufficient, rows, rowBytes, fileRows)
            ? ByteSizes.show(sufficient)
            : "fewer or smaller rows: no task uses more than " + ByteSizes.show(MAX_BYTES));
    return RowFormat.of(rows, (int) rowBytes, fileRows, memory);
  }

  static boolean suffices(long memory, long rows, long rowBytes, long fileRows) {
    return rowBytes <= memory && RowFormat.of(rows, (int) rowBytes, fileRows, memory).fits(memory);
  }

  /** Returns memory that suffices for rows, if {@link #MAX_BYTES} do, otherwise these. */
  static long sufficient(long rows, long rowBytes, long fileRows) {
    long memory = RowFormat.neededMemory(rows, rowBytes);
    do {
      memory += memory / 16; // the message is rounded, and large rows leave gaps
    } while (memory < MAX_BYTES && !suffices(memory, rows, rowBytes, fileRows));
    return Math.min(MAX_BYTES, memory);
  }

  private long ofThread() {
    return Runtime.getRuntime().maxMemory() / Math.max(1, conf.getInt(LOCAL_TASKS, 1));
  }

  private long ofContainer() {
    JobConf job = new JobConf(conf);
    long heap = JobConf.parseMaximumHeapSizeMB(job.getTaskJavaOpts(TaskType.MAP));
    return heap << 20;
  }
}
