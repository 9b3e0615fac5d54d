package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.staging.StagingJob;

/** A part of a stream that a thread of this process stages. */
record StagedPart(StagingJob job, Part part, JobRunner runner) implements WorkItem {
  /** Returns the parts of a job. */
  static List<WorkItem> of(StagingJob job, JobRunner runner) throws IOException {
    List<WorkItem> parts = new ArrayList<>();
    for (Part part : job.parts()) {
      parts.add(new StagedPart(job, part, runner));
    }
    return parts;
  }

  @Override
  public long bytes() {
    return part.bytes();
  }

  @Override
  public ConversionChanges run(ByteMeter read, TaskOutput output)
      throws IOException, InterruptedException {
    job.stage(part, read, output.folder(), output::written, runner.scratch());
    return ConversionChanges.NONE;
  }
}
