package org.saevhadoop.jobs.check;

import java.io.IOException;
import org.saevhadoop.jobs.task.TaskRecords;

/**
 * Adds up the sums that tasks write, one task after another.
 *
 * @param rows the total number of rows of all tasks
 */
record SumOutput(long rows) implements TaskRecords.Collector<RowSums> {
  @Override
  public RowSums collect(TaskRecords tasks) throws IOException {
    RowSums all = new RowSums(rows);
    tasks.forEach((key, sums) -> all.add(sums));
    return all;
  }
}
