package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Plans verbs that only read, with the checks of a run, but without any write and without a job.
 */
public final class DryRun {
  private DryRun() {}

  /** The jobs that a verb runs over its sources. */
  @FunctionalInterface
  public interface VerbJobs {
    /**
     * Returns the jobs.
     *
     * @param sources the open sources, in the order of the requests
     */
    List<DatasetJob<?>> of(List<OpenedSource> sources) throws IOException;
  }

  /**
   * Returns the plan of a verb. If a source must be staged, its jobs are not known yet, and the
   * plan is that of the staging.
   *
   * @throws IOException if the verb would fail before its first job
   */
  public static RunPlan of(List<SourceRequest> requests, VerbJobs verb, JobRunner runner)
      throws IOException, InterruptedException {
    List<JobPlan> staging = new ArrayList<>();
    List<OpenedSource> sources = new ArrayList<>();
    for (SourceRequest request : requests) {
      if (OpenedSource.isStream(request)) {
        staging.add(OpenedSource.planStaging(request, runner));
      } else {
        sources.add(OpenedSource.open(request, runner));
      }
    }
    if (!staging.isEmpty()) {
      return RunPlan.ofReading(RunPlan.STAGED, staging, runner.conf());
    }
    List<JobPlan> jobs = new ArrayList<>();
    for (DatasetJob<?> job : verb.of(sources)) {
      jobs.add(runner.plan(job));
    }
    boolean shuffles = jobs.stream().anyMatch(job -> job.reduces() > 0);
    return RunPlan.ofReading(shuffles ? RunPlan.SHUFFLE : RunPlan.MAP_ONLY, jobs, runner.conf());
  }
}
