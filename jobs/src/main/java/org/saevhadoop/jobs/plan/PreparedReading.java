package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * A verb that reads its sources and writes no dataset. If a source must be staged, the jobs that
 * read it are not known yet, and the plan describes the staging.
 *
 * @param jobs returns the jobs of {@code work}
 * @param work runs the jobs and returns the result
 */
public record PreparedReading<R>(
    List<SourceRequest> requests,
    Io.Function<List<OpenedSource>, List<DatasetJob<?>>> jobs,
    Work<R> work,
    JobRunner runner)
    implements Prepared<R> {
  /** The work of a verb on its sources. */
  @FunctionalInterface
  public interface Work<R> {
    /**
     * Runs the jobs.
     *
     * @param sources the open sources, in the order of the requests
     */
    R run(List<OpenedSource> sources) throws IOException, InterruptedException;
  }

  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
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
      return List.of(RunPlanBuilder.ofReading(RunPlan.STAGED, staging));
    }
    List<JobPlan> plans = new ArrayList<>();
    for (DatasetJob<?> job : jobs.apply(sources)) {
      plans.add(runner.plan(job));
    }
    boolean shuffles = plans.stream().anyMatch(plan -> plan.reduces() > 0);
    String way = shuffles ? RunPlan.SHUFFLE : RunPlan.MAP_ONLY;
    return List.of(RunPlanBuilder.ofReading(way, plans));
  }

  @Override
  public R run() throws IOException, InterruptedException {
    return run(List.of());
  }

  private R run(List<OpenedSource> opened) throws IOException, InterruptedException {
    if (opened.size() == requests.size()) {
      return work.run(opened);
    }
    try (OpenedSource next = OpenedSource.open(requests.get(opened.size()), runner)) {
      List<OpenedSource> all = new ArrayList<>(opened);
      all.add(next);
      return run(all);
    }
  }
}
