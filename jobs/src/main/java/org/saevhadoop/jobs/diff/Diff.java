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
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobInput;
import org.saevhadoop.jobs.run.JobRunner;
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
public record Diff(String a, String b, Tolerance tolerance, boolean nanEqual, Configuration conf)
    implements Verb<DatasetDifference> {
  /** Returns a comparison bit by bit. */
  public static Diff of(String a, String b, Configuration conf) {
    return new Diff(a, b, Tolerance.NONE, false, conf);
  }

  @Override
  public List<SourceRequest> sources(JobRunner runner) throws IOException {
    return SourceRequest.of(List.of(a, b), SettingSource.CONFIGURATION, runner);
  }

  @Override
  public Prepared<DatasetDifference> prepare(List<SourceRequest> sources, JobRunner runner) {
    return new PreparedReading<>(
        sources,
        opened -> {
          DatasetPair pair = new DatasetPair(opened.get(0), opened.get(1));
          return pair.isComparable() ? List.of(job(pair)) : List.of();
        },
        opened -> {
          DatasetPair pair = new DatasetPair(opened.get(0), opened.get(1));
          return pair.difference(pair.isComparable() ? runner.run(job(pair)) : List.of());
        },
        runner);
  }

  private DatasetJob<List<Map.Entry<IntWritable, ColumnDifference>>> job(DatasetPair pair)
      throws IOException {
    pair.check(tolerance, nanEqual);
    OpenedSource first = pair.firstOfA();
    JobInput second = input(pair.b(), pair.columnsOfB());
    Configuration input = new Configuration(false);
    spec(second).toConf(input);
    return DatasetJob.step("diff", first.request().path())
        .reading(input(first, pair.columnsOfA()))
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
