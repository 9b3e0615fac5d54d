package org.saevhadoop.jobs.shuffle;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskType;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.shuffle.RowFormat;
import org.saevhadoop.format.shuffle.RowFormat.Files;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;

/** The memory that a map task may use for rows. */
record TaskMemory(long bytes) {
  static final long MAX_BYTES = 1 << 30;

  /** Returns half of the memory that a task of a job may allocate. */
  static TaskMemory of(JobRunner runner) {
    return runner.isInProcess() ? ofThread(runner.mapThreads()) : ofContainer(runner.conf());
  }

  private static TaskMemory half(long bytes) {
    return new TaskMemory(Math.max(1, Math.min(MAX_BYTES, bytes / 2)));
  }

  /** Returns half of the heap space that is available to each of several threads. */
  static TaskMemory ofThread(int threads) {
    return half(Runtime.getRuntime().maxMemory() / threads);
  }

  /** Returns half of the heap of a container. */
  static TaskMemory ofContainer(Configuration conf) {
    JobConf job = new JobConf(conf);
    return half((long) JobConf.parseMaximumHeapSizeMB(job.getTaskJavaOpts(TaskType.MAP)) << 20);
  }

  /**
   * Returns the format of the row files.
   *
   * @param fileRows the number of rows of a target file
   * @throws FormatException if the memory does not suffice for the rows
   */
  RowFormat format(StoragePath source, long rows, long rowBytes, long fileRows)
      throws FormatException {
    long sufficient = sufficient(rows, rowBytes, fileRows);
    DatasetError.TOO_LARGE.check(
        suffices(bytes, rows, rowBytes, fileRows),
        source.shown(),
        "%s of rows, each of %s, cannot be shuffled with %s of memory per task (expected %s)",
        ByteSizes.show(rows * rowBytes),
        ByteSizes.show(rowBytes),
        ByteSizes.show(bytes),
        suffices(sufficient, rows, rowBytes, fileRows)
            ? ByteSizes.show(sufficient)
            : "fewer or smaller rows: no task uses more than " + ByteSizes.show(MAX_BYTES));
    return RowFormat.of(rows, (int) rowBytes, fileRows, bytes);
  }

  /**
   * Returns the formats of the row files of several datasets that a task writes together.
   *
   * @param datasets their target files
   * @throws FormatException if the memory does not suffice for the rows of a single dataset
   */
  List<RowFormat> formats(StoragePath source, List<Files> datasets, long rowBytes)
      throws FormatException {
    if (datasets.size() == 1) {
      Files only = datasets.get(0);
      return List.of(format(source, only.rows(), rowBytes, only.fileRows()));
    }
    return RowFormat.of(datasets, (int) rowBytes, bytes);
  }

  /**
   * Divides datasets into groups whose rows a task can write in one pass.
   *
   * @param datasets their target files
   * @return the numbers of the datasets of each pass over the source
   */
  List<List<Integer>> passes(List<Files> datasets, long rowBytes) {
    List<List<Integer>> passes = new ArrayList<>();
    List<Files> last = new ArrayList<>();
    for (int i = 0; i < datasets.size(); i++) {
      last.add(datasets.get(i));
      if (passes.isEmpty() || !RowFormat.fit(RowFormat.of(last, (int) rowBytes, bytes), bytes)) {
        passes.add(new ArrayList<>());
        last = new ArrayList<>(List.of(datasets.get(i)));
      }
      passes.get(passes.size() - 1).add(i);
    }
    return passes;
  }

  static boolean suffices(long memory, long rows, long rowBytes, long fileRows) {
    return rowBytes <= memory && RowFormat.of(rows, (int) rowBytes, fileRows, memory).fits(memory);
  }

  /**
   * Returns an amount of memory that suffices for the rows; {@link #MAX_BYTES} if no smaller amount
   * suffices.
   */
  static long sufficient(long rows, long rowBytes, long fileRows) {
    long memory = RowFormat.neededMemory(rows, rowBytes);
    do {
      memory += memory / 16; // the message is rounded, and large rows leave gaps
    } while (memory < MAX_BYTES && !suffices(memory, rows, rowBytes, fileRows));
    return Math.min(MAX_BYTES, memory);
  }
}
