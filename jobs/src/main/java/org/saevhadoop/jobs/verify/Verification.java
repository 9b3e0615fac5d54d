package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Checks a dataset, or the part that the {@code saev.input.*} keys select: its structure, according
 * to its format; the recorded checksums of its files; and, in a job, its values.
 *
 * @param path the path of the dataset
 * @param scope the scope of the check
 * @param conf the configuration of file systems and jobs, including the input keys; null for the
 *     configuration on the class path
 */
@PublicApi
public record Verification(String path, Scope scope, @Nullable Configuration conf)
    implements Verb.OfPath<VerifiedDataset> {
  /** The scope of a verification. */
  public enum Scope {
    /** The structure only. */
    STRUCTURE,
    /** Everything, except duplicate vectors in layers of more than 10 million vectors. */
    CONTENT,
    /** Everything. */
    DUPLICATES
  }

  /**
   * Returns the verb that checks the whole dataset at a path, within the limits of {@link
   * Scope#CONTENT}.
   */
  public static Verification of(String path, @Nullable Configuration conf) {
    return new Verification(path, Scope.CONTENT, conf);
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public Prepared<VerifiedDataset> prepare(List<SourceRequest> sources, JobRunner runner) {
    return new PreparedVerification(sources.get(0), scope, runner);
  }

  private record PreparedVerification(SourceRequest request, Scope scope, JobRunner runner)
      implements Prepared<VerifiedDataset> {
    @Override
    public List<RunPlan> describe() throws IOException, InterruptedException {
      return scope == Scope.STRUCTURE
          ? List.of(RunPlanBuilder.of(RunPlan.NOTHING).build())
          : new VerificationRun(request, runner).planContent(scope == Scope.DUPLICATES);
    }

    @Override
    public VerifiedDataset run() throws IOException, InterruptedException {
      VerificationRun run = new VerificationRun(request, runner);
      run.checkStructure();
      if (scope != Scope.STRUCTURE) {
        run.checkSums();
        run.checkContent(scope == Scope.DUPLICATES);
      }
      return run.result();
    }
  }
}
