package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Checks a dataset, or the part of it that {@code saev.input.*} select: its structure as its format
 * checks it, the checksums that are recorded of its files, and in a job its values.
 *
 * @param path the path of the dataset
 * @param scope what is checked
 * @param conf the configuration of file systems and jobs, with the keys of the input
 */
public record Verification(String path, Scope scope, Configuration conf) {
  /** What is checked. */
  public enum Scope {
    /** The structure only. */
    STRUCTURE,
    /** Everything, but duplicate vectors in layers of more than 10 million vectors. */
    CONTENT,
    /** Everything. */
    DUPLICATES
  }

  public static Verification of(String path, Configuration conf) {
    return new Verification(path, Scope.CONTENT, conf);
  }

  /**
   * Checks the dataset.
   *
   * @throws IOException if the dataset does not exist, if it cannot be read for reasons other than
   *     its content, or if the job fails
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public VerifiedDataset run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf,
        listener,
        runner -> of(SourceRequest.of(path, SettingSource.CONFIGURATION, runner), scope, runner));
  }

  /**
   * Returns the plan of the job that checks the values; nothing is written, and no job runs.
   *
   * @throws IOException if the dataset cannot be checked
   */
  public RunPlan plan(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf,
        listener,
        runner -> plan(SourceRequest.of(path, SettingSource.CONFIGURATION, runner), scope, runner));
  }

  /** Returns the plan for a dataset that has been found. */
  public static RunPlan plan(SourceRequest request, Scope scope, JobRunner runner)
      throws IOException, InterruptedException {
    return scope == Scope.STRUCTURE
        ? RunPlan.ofReading(RunPlan.NOTHING, List.of(), runner.conf())
        : new VerificationRun(request, runner).planContent(scope == Scope.DUPLICATES);
  }

  /** Checks a dataset that has been found. */
  public static VerifiedDataset of(SourceRequest request, Scope scope, JobRunner runner)
      throws IOException, InterruptedException {
    VerificationRun run = new VerificationRun(request, runner);
    run.checkStructure();
    if (scope != Scope.STRUCTURE) {
      run.checkSums();
      run.checkContent(scope == Scope.DUPLICATES);
    }
    return run.result();
  }
}
