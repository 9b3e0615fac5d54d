package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.RecordSelection.Unit;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;

/**
 * The rows of a dataset, to be compared with those of another dataset by means of {@link RowSums}:
 * each dataset is read once, in its own order, by the reader of its format.
 *
 * @param count the number of rows
 * @param input the part that is read, and the type in which its values are read
 * @param records the records that contain the rows
 * @param task the class of the tasks that sum the rows
 * @param settings the settings of the tasks
 */
public record SummedRows(
    OpenedSource dataset,
    long count,
    InputSpec input,
    RecordRequest records,
    Class<? extends SumRows> task,
    Settings settings) {
  /**
   * Returns the blocks of a dataset as rows.
   *
   * @param layers the order of the layers
   * @param dtype the type in which the values are read
   */
  public static SummedRows blocks(OpenedSource dataset, List<Integer> layers, DType dtype)
      throws FormatException {
    Geometry geometry = dataset.dataset().requireActivations().geometry();
    return new SummedRows(
        dataset,
        geometry.examples() * layers.size(),
        input(dataset, dtype),
        new RecordRequest(Unit.BLOCK, false, List.of(), 1),
        SumRows.class,
        Settings.NONE.with(SumRows.LAYERS, layers));
  }

  /**
   * Returns the examples of a dataset as rows.
   *
   * @param layers the order of the layers in a row
   * @param dtype the type in which the values are read
   * @param labels the number of an example's labels that belong to its row
   */
  public static SummedRows examples(
      OpenedSource dataset, List<Integer> layers, DType dtype, int labels) throws FormatException {
    ActivationDataset examples = dataset.dataset().requireActivations();
    Map<Integer, Integer> positions = TableShape.positions(examples.geometry().layers());
    List<Integer> columns =
        layers.stream().map(layer -> Objects.requireNonNull(positions.get(layer))).toList();
    return new SummedRows(
        dataset,
        examples.geometry().examples(),
        input(dataset, dtype),
        new RecordRequest(Unit.EXAMPLE, false, columns, 1),
        SumRows.class,
        labels(labels));
  }

  /** Returns the same rows, to be compared with rows whose examples are in another order. */
  public SummedRows unordered() {
    return new SummedRows(
        dataset, count, input, records, task, settings.with(SumRows.UNORDERED, true));
  }

  /** Returns the settings with which the hash of a row includes its labels. */
  public static Settings labels(int labels) {
    return Settings.NONE.with(SumRows.LABELS, (long) labels);
  }

  /** Returns the input for a dataset whose values are read in a given type. */
  public static InputSpec input(OpenedSource dataset, DType dtype) {
    return dataset.spec().with(dataset.spec().dtypes().as(dtype)).with(Numbering.SELECTION);
  }

  /**
   * Opens a dataset that was written, to sum its rows.
   *
   * @return the dataset; null if its files must be read from beginning to end, or if its columns
   *     are not layers
   */
  public static @Nullable OpenedSource open(SourceRequest written, JobRunner runner)
      throws IOException, InterruptedException {
    if (OpenedSource.isStream(written)) {
      return null;
    }
    OpenedSource opened = OpenedSource.open(written, runner);
    if (opened.dataset() instanceof ActivationDataset) {
      return opened;
    }
    opened.close();
    return null;
  }

  /**
   * Compares these rows with the rows of a dataset that was made from them.
   *
   * @param path the path of that dataset, for messages
   * @throws FormatException if rows differ
   */
  public void check(SummedRows made, String path, JobRunner runner)
      throws IOException, InterruptedException {
    if (count == 0) {
      return;
    }
    String name = JobName.of("verify", dataset.request().source().name());
    Optional<IndexRange> different =
        made.sums(count, name, runner).mismatch(sums(count, name, runner));
    if (different.isPresent()) {
      long ofExample = count / made.dataset.dataset().table().examples();
      IndexRange rows =
          settings.get(SumRows.UNORDERED) ? new IndexRange(0, count) : different.get();
      throw VerifyError.DIFFERENT.in(
          path,
          "examples %d to %d differ from %s",
          rows.start() / ofExample,
          (rows.stop() - 1) / ofExample,
          dataset.request().source().shown());
    }
  }

  private RowSums sums(long rows, String name, JobRunner runner)
      throws IOException, InterruptedException {
    long bytes = dataset.dataset().table().examples() * dataset.dataset().table().exampleBytes();
    return runner.run(
        DatasetJob.step("verify", dataset.request().source())
            .named(name)
            .reading(dataset.input(input, records))
            .with(settings.with(SumRows.ROWS, rows))
            .bytes(bytes)
            .task(task)
            .collect(new SumOutput(rows)));
  }
}
