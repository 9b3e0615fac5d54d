package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Job;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.plan.DryRun;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobInput;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.TaskResults;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.SourceKeys;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/**
 * Compares two datasets of any formats and types, or the parts of them that {@code saev.input.*}
 * select, in a job. Keys of one of them are {@code saev.input.0.*} and {@code saev.input.1.*}.
 *
 * @param a the path of the first dataset
 * @param b the path of the second dataset
 * @param tolerance the differences of finite values that do not count
 * @param nanEqual whether any NaN equals any other; otherwise their bits must be equal
 * @param conf the configuration of file systems and jobs, with the keys of the inputs
 */
public record Diff(String a, String b, Tolerance tolerance, boolean nanEqual, Configuration conf) {
  /** Returns a comparison bit by bit. */
  public static Diff of(String a, String b, Configuration conf) {
    return new Diff(a, b, Tolerance.NONE, false, conf);
  }

  /**
   * Compares the datasets.
   *
   * @throws IOException if a dataset is not found or malformed, if no type represents the values of
   *     both, or if the job fails
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public DatasetDifference run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf, listener, runner -> of(requests(runner), tolerance, nanEqual, runner));
  }

  /**
   * Returns what {@link #run} would do. Nothing is written.
   *
   * @throws IOException if it would fail before its job
   */
  public RunPlan plan(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf, listener, runner -> plan(requests(runner), tolerance, nanEqual, runner));
  }

  private List<SourceRequest> requests(JobRunner runner) throws IOException {
    return SourceRequest.of(List.of(a, b), SettingSource.CONFIGURATION, runner);
  }

  /** Returns what a comparison of two datasets would do. */
  public static RunPlan plan(
      List<SourceRequest> requests, Tolerance tolerance, boolean nanEqual, JobRunner runner)
      throws IOException, InterruptedException {
    return DryRun.of(
        requests,
        sources -> {
          DatasetPair pair = new DatasetPair(sources.get(0), sources.get(1));
          return pair.isComparable() ? List.of(job(pair, tolerance, nanEqual)) : List.of();
        },
        runner);
  }

  /**
   * Opens two datasets and compares them.
   *
   * @param requests the two datasets
   */
  public static DatasetDifference of(
      List<SourceRequest> requests, Tolerance tolerance, boolean nanEqual, JobRunner runner)
      throws IOException, InterruptedException {
    try (OpenedSource a = OpenedSource.open(requests.get(0), runner);
        OpenedSource b = OpenedSource.open(requests.get(1), runner)) {
      DatasetPair pair = new DatasetPair(a, b);
      if (!pair.isComparable()) {
        return pair.difference(List.of());
      }
      return pair.difference(runner.run(job(pair, tolerance, nanEqual)));
    }
  }

  private static DatasetJob<List<Map.Entry<IntWritable, ColumnDifference>>> job(
      DatasetPair pair, Tolerance tolerance, boolean nanEqual) throws IOException {
    pair.check(tolerance, nanEqual);
    OpenedSource a = pair.firstOfA();
    JobInput second = input(pair.b(), pair.columnsOfB());
    Configuration input = new Configuration(false);
    spec(second).toConf(input);
    return DatasetJob.step("diff", a.request().path())
        .reading(input(a, pair.columnsOfA()))
        .with(
            Settings.NONE
                .with(DiffKeys.COLUMNS, pair.columnsOfB())
                .with(DiffKeys.TOLERANCE, tolerance.toString())
                .with(DiffKeys.NAN_EQUAL, nanEqual)
                .with(DiffKeys.LABELS, pair.haveLabels())
                .with(DiffKeys.SAMPLES, pair.haveSamples())
                .with(DiffKeys.INPUT, second.format().getName()))
        .bytes(pair.bytes())
        .map(DiffBlocks.class)
        .tasks(
            tasks -> {
              obtainTokens(tasks, second);
              SourceKeys.write(input, DiffBlocks.SECOND, tasks.getConfiguration());
            })
        .into(new TaskResults<>(IntWritable.class, ColumnDifference.class, List::copyOf));
  }

  private static InputSpec spec(JobInput input) {
    return Objects.requireNonNull(input.spec());
  }

  private static void obtainTokens(Job job, JobInput second) {
    try {
      StorageTokens.obtain(job, new Path(Objects.requireNonNull(spec(second).source()).path()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JobInput input(OpenedSource source, List<Integer> columns) {
    InputSpec spec = source.spec();
    return source.input(
        spec.with(spec.dtypes().orStored()).with(Numbering.SELECTION),
        new RecordRequest(RecordSelection.Unit.BLOCK, false, columns, 1));
  }
}
