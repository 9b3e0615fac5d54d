package org.saevhadoop.mapreduce.io;

import java.util.function.LongConsumer;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Counts the bytes that a task reads or writes. It reports them about once per MiB, because a
 * counter costs more than a comparison, and because {@code mapreduce.task.timeout} ends a task that
 * reports nothing while it copies a large file.
 */
public final class ByteMeter {
  /** The number of bytes after which the next report is due. */
  static final long REPORT_BYTES = 1 << 20;

  private final LongConsumer report;
  private long pending;

  /**
   * Creates a meter.
   *
   * @param report accepts the number of bytes since the last report
   */
  public ByteMeter(LongConsumer report) {
    this.report = report;
  }

  /** Returns a meter that adds to a counter of a task and reports the progress of the task. */
  public static ByteMeter of(TaskAttemptContext task, DatasetCounter counter) {
    Counter sum = task.getCounter(counter);
    return new ByteMeter(
        bytes -> {
          sum.increment(bytes);
          task.progress();
        });
  }

  public synchronized void add(long bytes) {
    pending += bytes;
    if (pending >= REPORT_BYTES) {
      flush();
    }
  }

  /** Reports the bytes that have not been reported yet. */
  public synchronized void flush() {
    if (pending > 0) {
      long bytes = pending;
      pending = 0;
      report.accept(bytes);
    }
  }
}
