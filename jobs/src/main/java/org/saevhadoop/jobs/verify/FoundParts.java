package org.saevhadoop.jobs.verify;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.task.Streamed;
import org.saevhadoop.jobs.task.TaskOutput;

/**
 * The output of the tasks of a verification. Its keys are negative, unlike the keys of hashes,
 * which reducers also receive.
 *
 * @param columns the findings of each column
 * @param failures the failures of tasks to read blocks
 */
record FoundParts(List<ColumnFindings> columns, List<Finding> failures) {
  private static final long FAILURE = Long.MIN_VALUE;

  static void write(int column, ColumnFindings found, TaskOutput task)
      throws IOException, InterruptedException {
    task.write(-1 - column, found);
  }

  static void write(Finding failure, TaskOutput task) throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    failure.write(new DataOutputStream(bytes));
    task.write(FAILURE, bytes.toByteArray());
  }

  /** Returns an instance without findings. */
  static FoundParts none(int columns) {
    FoundParts none = new FoundParts(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < columns; i++) {
      none.columns.add(new ColumnFindings());
    }
    return none;
  }

  /** Adds the output of a task. */
  void add(long key, ByteBuffer value) throws IOException {
    if (key == FAILURE) {
      Finding failure = Finding.read(Streamed.in(value));
      if (failures.stream().noneMatch(failure::repeats)) {
        failures.add(failure);
      }
    } else {
      ColumnFindings more = new ColumnFindings();
      more.read(value);
      columns.get((int) (-1 - key)).add(more);
    }
  }
}
