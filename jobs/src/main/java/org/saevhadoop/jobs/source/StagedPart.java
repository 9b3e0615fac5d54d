package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.staging.OpenPart;
import org.saevhadoop.mapreduce.staging.StagingJob;

/** A part of a stream that a thread of this process stages. */
final class StagedPart implements WorkItem {
  private final StagingJob job;
  private final Part part;
  private final JobRunner runner;
  private volatile DoubleSupplier progress = () -> 0;

  private StagedPart(StagingJob job, Part part, JobRunner runner) {
    this.job = job;
    this.part = part;
    this.runner = runner;
  }

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
  public double progress(long read) {
    return progress.getAsDouble();
  }

  @Override
  public ConversionChanges run(ByteMeter read, TaskOutput output)
      throws IOException, InterruptedException {
    try (OpenPart opened = job.open(part)) {
      progress = opened::progress;
      job.stage(opened, read, output.folder(), output::written, runner.scratch());
    }
    progress = () -> 1;
    return ConversionChanges.NONE;
  }
}
