package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.TaskRecords;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/**
 * Compares two datasets of any formats and types, or the parts of them that the {@code
 * saev.input.*} keys select, in a job. The keys of each single dataset are {@code saev.input.0.*}
 * and {@code saev.input.1.*}.
 *
 * @param a the path of the first dataset
 * @param b the path of the second dataset
 * @param tolerance the differences between finite values that do not count
 * @param nanEqual whether all NaN values are considered equal; otherwise, their bits must be equal
 * @param conf the configuration of file systems and jobs, with the keys of the inputs
 */
@PublicApi
public record Diff(
    String a, String b, Tolerance tolerance, boolean nanEqual, @Nullable Configuration conf)
    implements Verb<DatasetDifference> {
  /** Returns a bit-by-bit comparison. */
  public static Diff of(String a, String b, @Nullable Configuration conf) {
    return new Diff(a, b, Tolerance.NONE, false, conf);
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public List<SourceRequest> sources(JobRunner runner) throws IOException {
    return SourceRequest.of(List.of(a, b), SettingSource.CONFIGURATION, runner);
  }

  /**
   * @hidden
   */
  @Internal
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
          return pair.difference(pair.isComparable() ? runner.run(job(pair)) : Map.of());
        },
        runner);
  }

  private DatasetJob<Map<Integer, ColumnDifference>> job(DatasetPair pair) throws IOException {
    pair.check(tolerance, nanEqual);
    OpenedSource first = pair.firstOfA();
    return DatasetJob.step("diff", first.request().source())
        .reading(input(first, pair.columnsOfA()))
        .comparedWith(input(pair.b(), pair.columnsOfB()))
        .with(
            Settings.NONE
                .with(DiffKeys.COLUMNS, pair.columnsOfB())
                .with(DiffKeys.TOLERANCE, tolerance.toString())
                .with(DiffKeys.NAN_EQUAL, nanEqual)
                .with(DiffKeys.LABELS, pair.haveLabels())
                .with(DiffKeys.SAMPLES, pair.haveSamples()))
        .bytes(pair.bytes())
        .task(DiffBlocks.class)
        .collect(Diff::sums);
  }

  private static Map<Integer, ColumnDifference> sums(TaskRecords records) throws IOException {
    Map<Integer, ColumnDifference> sums = new LinkedHashMap<>();
    records.forEach(
        (column, value) -> {
          ColumnDifference part = new ColumnDifference();
          part.read(value);
          sums.computeIfAbsent((int) column, key -> new ColumnDifference()).add(part);
        });
    return sums;
  }

  private static JobInput input(OpenedSource source, List<Integer> columns) {
    InputSpec spec = source.spec();
    return source.input(
        spec.with(spec.dtypes().orStored()).with(Numbering.SELECTION),
        new RecordRequest(RecordSelection.Unit.BLOCK, false, columns, 1));
  }
}
