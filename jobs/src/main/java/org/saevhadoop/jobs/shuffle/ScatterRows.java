package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.jobs.convert.ExampleParts;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.MeteredFolder;

/**
 * Appends the rows of a split to the buckets of a file, and their labels and coordinates to the
 * buckets of another.
 */
final class ScatterRows implements Task {
  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    ByteMeter written = new ByteMeter(output::written);
    StagedFolder target = StagedFolder.ofTask(new MeteredFolder(output.folder(), written), true);
    String part = ExampleParts.range(input.first(), input.count());
    try (SplitRows rows = SplitRows.open(input)) {
      scatter(input, rows, part, target);
    }
    target.commit(part, "rows");
  }

  private static void scatter(TaskInput input, SplitRows rows, String part, StagedFolder target)
      throws IOException, InterruptedException {
    ShufflePlan plan = rows.plan();
    ByteBuffer sideRow = plan.side().buffer();
    try (RowScatter scatter =
            new RowScatter(plan.format(), target.create(ShuffledDataset.PREFIX + part));
        RowScatter side =
            plan.side().bytes() == 0
                ? null
                : new RowScatter(plan.sideFormat(), target.create(ShuffledDataset.SIDE + part))) {
      while (input.next()) {
        rows.read(
            input,
            (row, example, token, bytes, sideOf) -> {
              scatter.add(row, bytes);
              if (side != null) {
                plan.side().put(example, token, sideOf, sideRow);
                side.add(row, sideRow);
              }
            });
      }
    }
  }
}
