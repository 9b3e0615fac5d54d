package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.RunPlan.RemovedFiles;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;
import org.saevhadoop.jobs.run.JobPlan;

/** A plan that is being built. */
public final class RunPlanBuilder {
  private final String plan;
  private final List<TemporaryBytes> temporary = new ArrayList<>();
  private final List<RemovedFiles> removes = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private @Nullable String path;
  private long tasks;
  private @Nullable Long files = 0L;
  private long bytesRead;
  private @Nullable Long bytesWritten = 0L;

  private RunPlanBuilder(String plan) {
    this.plan = plan;
  }

  /** Begins a plan that reads and writes nothing. */
  public static RunPlanBuilder of(String plan) {
    return new RunPlanBuilder(plan);
  }

  /** Returns the plan of a verb whose jobs only read. */
  public static RunPlan ofReading(String plan, List<JobPlan> jobs) throws IOException {
    RunPlanBuilder found = of(jobs.isEmpty() ? RunPlan.NOTHING : plan);
    jobs.forEach(found::reading);
    Set<StoragePath> folders = new LinkedHashSet<>();
    for (JobPlan job : jobs) {
      if (job.temporary() != null && folders.add(job.temporary())) {
        found.temporary(temporary(job.temporary(), null));
      }
    }
    return found.build();
  }

  /**
   * Returns a plan combined with the plan of the job that first stages its rows.
   *
   * @param rows the folder in which the rows are staged
   */
  public static RunPlan after(JobPlan first, TemporaryBytes rows, RunPlan second) {
    RunPlanBuilder both = of(RunPlan.TWO_PASSES).reading(first).temporary(rows);
    return both.adding(second).build();
  }

  /** Returns a plan whose rows are staged by the job of another plan. */
  public static RunPlan afterAnother(RunPlan second) {
    return of(RunPlan.SECOND_PASS).adding(second).build();
  }

  /** Returns a copy of a plan that lists more losses and changes before its own. */
  public static RunPlan noting(RunPlan plan, List<String> losses, List<String> changes) {
    return of(plan.plan()).losing(losses).changing(changes).adding(plan).build();
  }

  /**
   * Returns a copy of a plan without the path of the dataset, whose name is not known yet, and
   * without the folder of its run, which is named after the dataset.
   *
   * @param run the folder of the run in the plan
   * @param target the folder below which the dataset is written, which replaces {@code run}
   * @param reason the reason, which is listed as a change
   */
  public static RunPlan unnamed(RunPlan plan, StoragePath run, StoragePath target, String reason) {
    RunPlanBuilder unnamed = of(plan.plan()).changing(List.of(reason)).adding(plan);
    unnamed.temporary.replaceAll(
        folder ->
            folder.path().equals(run.shown())
                ? new TemporaryBytes(target.shown(), folder.bytes(), folder.free())
                : folder);
    return unnamed.writing(null, plan.files(), plan.bytesWritten()).build();
  }

  /** Returns a copy of a plan with more files to remove. */
  public static RunPlan removing(RunPlan plan, List<RemovedFiles> removed) {
    return of(plan.plan()).removing(removed).adding(plan).build();
  }

  /** Returns the temporary files in a folder, which does not have to exist yet. */
  public static TemporaryBytes temporary(StoragePath folder, @Nullable Long bytes)
      throws IOException {
    return new TemporaryBytes(folder.shown(), bytes, FreeSpace.of(folder).bytes());
  }

  private RunPlanBuilder adding(RunPlan other) {
    tasks += other.tasks();
    bytesRead += other.bytesRead();
    temporary.addAll(other.temporary());
    return writing(other.path(), other.files(), other.bytesWritten())
        .removing(other.removes())
        .losing(other.losses())
        .changing(other.changes());
  }

  /** Adds the map tasks of a job. */
  public RunPlanBuilder reading(JobPlan job) {
    tasks += job.maps();
    bytesRead += job.bytes();
    return this;
  }

  /**
   * Sets the dataset that is written.
   *
   * @param published its path; null if its name is not known yet
   * @param count the number of data files; null if it is not known yet
   * @param bytes their total length; null if it is not known yet
   */
  public RunPlanBuilder writing(
      @Nullable String published, @Nullable Long count, @Nullable Long bytes) {
    path = published;
    files = count;
    bytesWritten = bytes;
    return this;
  }

  /** Adds a folder for temporary files. */
  public RunPlanBuilder temporary(TemporaryBytes folder) {
    temporary.add(folder);
    return this;
  }

  public RunPlanBuilder removing(List<RemovedFiles> removed) {
    removes.addAll(removed);
    return this;
  }

  public RunPlanBuilder losing(List<String> lines) {
    losses.addAll(lines);
    return this;
  }

  public RunPlanBuilder changing(List<String> lines) {
    changes.addAll(lines);
    return this;
  }

  public RunPlan build() {
    return new RunPlan(
        plan, path, tasks, files, bytesRead, bytesWritten, temporary, removes, losses, changes);
  }
}
