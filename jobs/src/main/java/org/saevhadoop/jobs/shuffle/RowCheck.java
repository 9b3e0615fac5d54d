package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.io.LongWritable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.jobs.check.VerifyError;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.TaskResults;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;

/**
 * Compares the rows of a shuffled dataset with those of its source by their sums, for which each of
 * the two is read once, in its own order. The rows in the folder of the shuffle are not trusted.
 *
 * @param records the records of the source that contain the rows
 * @param made the dataset in the folder of the shuffle
 */
record RowCheck(
    OpenedSource source,
    RecordRequest records,
    OpenedSource made,
    ShufflePlan plan,
    JobRunner runner) {
  static RowCheck of(
      OpenedSource source, RecordRequest records, OpenedSource made, JobRunner runner) {
    return new RowCheck(source, records, made, ((ShuffledDataset) made.whole()).plan(), runner);
  }

  /**
   * Compares a dataset that was written. If its format cannot be read at any offset, or its columns
   * are not layers, the dataset from which it was converted byte for byte is compared instead.
   *
   * @param path the path at which it will be published, for messages
   * @throws FormatException if rows differ
   */
  void run(SourceRequest written, String path) throws IOException, InterruptedException {
    if (plan.activations().geometry().examples() == 0) {
      return;
    }
    if (OpenedSource.isStream(written)) {
      compare(made, path);
    } else {
      try (OpenedSource opened = OpenedSource.open(written, runner)) {
        boolean isReadable = opened.dataset() instanceof ActivationDataset;
        compare(isReadable ? opened : made, path);
      }
    }
  }

  private void compare(OpenedSource shuffled, String path)
      throws IOException, InterruptedException {
    ActivationDataset dataset = shuffled.dataset().requireActivations();
    Settings settings =
        Settings.NONE
            .with(SplitRows.PLAN, plan.text())
            .with(SplitRows.FOLDER, Objects.requireNonNull(made.staged()).toString())
            .with(SumRows.LABELS, plan.side().labels() > 0 && dataset.hasLabels());
    DTypeRequest types = source.spec().dtypes();
    InputSpec expected = source.spec().with(types.as(dataset.geometry().dtype()));
    InputSpec found = shuffled.spec().with(types.unconverted());
    Optional<IndexRange> different =
        sums(source, expected, records, SumRows.OfSource.class, settings)
            .mismatch(sums(shuffled, found, rows(dataset), SumRows.OfShuffled.class, settings));
    if (different.isPresent()) {
      IndexRange rows = different.get();
      throw VerifyError.DIFFERENT.in(
          path,
          "rows %d to %d are not the rows of %s",
          rows.start(),
          rows.stop() - 1,
          HadoopStorage.show(source.request().path()));
    }
    runner.listener().message("shuffle: verified: all rows are those of the source");
  }

  /** Returns the records of a shuffled dataset that are rows. */
  private RecordRequest rows(ActivationDataset shuffled) {
    List<Integer> columns =
        plan.activations().geometry().layers().stream().map(shuffled.table()::indexOf).toList();
    return new RecordRequest(RecordSelection.Unit.EXAMPLE, false, columns, 1);
  }

  private RowSums sums(
      OpenedSource read,
      InputSpec input,
      RecordRequest request,
      Class<? extends SumRows> mapper,
      Settings settings)
      throws IOException, InterruptedException {
    TableShape table = read.dataset().table();
    long rows = plan.activations().geometry().examples();
    return runner.run(
        new DatasetJob<>(
            "verify",
            JobName.of("verify", read.request().path()),
            read.request().path(),
            List.of(read.input(input.with(Numbering.SELECTION), request)),
            settings,
            table.examples() * table.exampleBytes(),
            tasks -> {
              tasks.setMapperClass(mapper);
              tasks.setNumReduceTasks(0);
            },
            new TaskResults<>(
                LongWritable.class, LongWritable.class, sums -> RowSums.of(rows, sums)),
            null));
  }
}
