package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.jobs.convert.ExampleParts;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.MeteredFolder;

/**
 * Appends the rows of a split to the buckets of a file for each dataset, and their labels and
 * coordinates to the buckets of another file.
 */
final class ScatterRows implements Task {
  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    ByteMeter written = new ByteMeter(output::written);
    StagedFolder target = StagedFolder.ofTask(new MeteredFolder(output.folder(), written), true);
    String part = ExampleParts.range(input.first(), input.count());
    try (SplitRows rows = SplitRows.open(input);
        SplitFiles files = new SplitFiles(rows.plans(), part, target)) {
      while (input.next()) {
        rows.read(input, files::add);
      }
    }
    target.commit(part, "rows");
  }
}
