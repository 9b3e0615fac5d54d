package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import org.saevhadoop.jobs.check.SumRows;
import org.saevhadoop.jobs.task.TaskInput;

/** Writes the sums of the source's rows, which are numbered as in the shuffle. */
final class SumSourceRows extends SumRows {
  @Override
  protected void read(TaskInput input, Sink sink) throws IOException, InterruptedException {
    try (SplitRows rows = SplitRows.open(input)) {
      while (input.next()) {
        rows.read(input, (dataset, row, example, token, bytes, side) -> sink.add(row, bytes, side));
      }
    }
  }
}
