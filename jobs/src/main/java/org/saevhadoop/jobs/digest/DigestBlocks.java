package org.saevhadoop.jobs.digest;

import java.io.IOException;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.job.DigestKeys;

/** Writes the SHA-256 hashes of blocks, example by example. */
final class DigestBlocks implements Task {
  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    BlockDigests digests = new BlockDigests(input.get(DigestKeys.LAYERS));
    while (input.next()) {
      if (!digests.contain(input.example())) {
        digests.write(output);
        digests.begin(input.example(), digests.examplesOfRecord());
      }
      digests.add(input.example(), input.column(), input.values());
    }
    digests.write(output);
  }
}
