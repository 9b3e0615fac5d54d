package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.TaskResults;

/**
 * Adds up the sums that tasks hand over, one task after another.
 *
 * @param rows the number of rows of all tasks
 */
record SumOutput(long rows) implements JobOutput<RowSums> {
  private static final TaskResults<NullWritable, BytesWritable, Integer> SUMS =
      new TaskResults<>(NullWritable.class, BytesWritable.class, List::size);

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    SUMS.prepare(job, temporary);
  }

  @Override
  public RowSums result(Job job, FinishedJob finished, @Nullable Path temporary)
      throws IOException {
    Configuration conf = job.getConfiguration();
    RowSums all = new RowSums(rows);
    BytesWritable sums = new BytesWritable();
    for (Path part : TaskResults.parts(Objects.requireNonNull(temporary), conf)) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(part))) {
        while (reader.next(NullWritable.get(), sums)) {
          all.add(sums);
        }
      }
    }
    return all;
  }
}
