package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.staging.OpenPart;
import org.saevhadoop.mapreduce.staging.StagingJob;

/**
 * Parts of a stream that a thread of this process stages, one after the other. Small parts share
 * one folder and one commit, which cost more than reading them.
 */
final class StagedParts implements WorkItem {
  private static final long MAX_SHARED_BYTES = 4 << 20;

  /** Enough work items for threads to end at about the same time. */
  private static final int ITEMS_PER_THREAD = 16;

  private final StagingJob job;
  private final List<Part> parts;
  private final JobRunner runner;
  private volatile long done;
  private volatile DoubleSupplier current = () -> 0;

  private StagedParts(StagingJob job, List<Part> parts, JobRunner runner) {
    this.job = job;
    this.parts = parts;
    this.runner = runner;
  }

  static List<WorkItem> of(StagingJob job, JobRunner runner) throws IOException {
    long share = job.bytes() / Math.multiplyExact(ITEMS_PER_THREAD, runner.mapThreads());
    List<WorkItem> items = new ArrayList<>();
    for (List<Part> parts : grouped(job.parts(), Math.min(MAX_SHARED_BYTES, share))) {
      items.add(new StagedParts(job, parts, runner));
    }
    return items;
  }

  /**
   * Divides parts into groups in their order.
   *
   * @param mostBytes the maximum number of bytes in a group of several parts
   */
  static List<List<Part>> grouped(List<Part> parts, long mostBytes) {
    List<List<Part>> groups = new ArrayList<>();
    List<Part> group = new ArrayList<>();
    long bytes = 0;
    for (Part part : parts) {
      if (!group.isEmpty() && bytes + part.bytes() > mostBytes) {
        groups.add(List.copyOf(group));
        group.clear();
        bytes = 0;
      }
      group.add(part);
      bytes += part.bytes();
    }
    if (!group.isEmpty()) {
      groups.add(List.copyOf(group));
    }
    return groups;
  }

  @Override
  public long bytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  @Override
  public double progress(long read) {
    return (done + current.getAsDouble()) / Math.max(1, bytes());
  }

  @Override
  public ConversionChanges run(ByteMeter read, TaskOutput output)
      throws IOException, InterruptedException {
    Folder folder = output.folder();
    long ended = 0;
    for (Part part : parts) {
      try (OpenPart opened = job.open(part)) {
        current = () -> opened.progress() * part.bytes();
        job.stage(opened, read, folder, output::written, runner.scratch());
      }
      current = () -> 0;
      ended += part.bytes();
      done = ended;
    }
    return ConversionChanges.NONE;
  }
}
