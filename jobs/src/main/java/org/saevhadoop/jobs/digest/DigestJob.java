package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.json.QuotedJson;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.input.StoredBlocks;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/** Computes the digest of an open dataset in a job. */
public final class DigestJob {
  /**
   * The digest of a dataset and the sums of its files.
   *
   * @param sums the SHA-256 of the files in hexadecimal, by name
   */
  public record WithSums(SortedMap<String, String> sums, DatasetDigest digest) {}

  private DigestJob() {}

  /** Opens a dataset and computes its digest. */
  public static DatasetDigest of(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    try (OpenedSource source = OpenedSource.open(request, runner)) {
      return of(source, runner);
    }
  }

  /** Computes the digest of an open dataset. */
  public static DatasetDigest of(OpenedSource source, JobRunner runner)
      throws IOException, InterruptedException {
    return of(input(source), source, Order.of(source), runner);
  }

  /**
   * Returns the types in which a source is read: for activations, float32, or the stored type if
   * float32 cannot represent its values exactly, or the types that the user requests.
   */
  private static InputSpec input(OpenedSource source) throws IOException {
    InputSpec spec = source.spec();
    return spec.dtypes().isAsked() || !(source.dataset() instanceof ActivationDataset activations)
        ? spec
        : spec.with(spec.dtypes().identifying(activations.geometry().dtype()));
  }

  /** Returns the job that computes the digest of an open dataset. */
  public static DatasetJob<?> job(OpenedSource source) throws IOException {
    return job(input(source), source, Order.of(source));
  }

  /**
   * Computes the digest of activations.
   *
   * @param input the part of the source that is read
   * @param geometry the shape of that part
   */
  public static DatasetDigest of(
      InputSpec input, OpenedSource source, Geometry geometry, JobRunner runner)
      throws IOException, InterruptedException {
    return of(input, source, Order.of(geometry), runner);
  }

  private static DatasetDigest of(
      InputSpec input, OpenedSource source, Order order, JobRunner runner)
      throws IOException, InterruptedException {
    return new DatasetDigest(runner.run(job(input, source, order)).blocks(), order.shape());
  }

  private static DatasetJob<DigestParts.Sums> job(
      InputSpec input, OpenedSource source, Order order) {
    RecordRequest blocks = new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1);
    TableShape table = order.table();
    return DatasetJob.step("digest", source.request().source())
        .reading(source.input(input.with(Numbering.SELECTION), blocks))
        .with(Settings.NONE.with(DigestKeys.LAYERS, order.ids()))
        .bytes(table.examples() * table.exampleBytes())
        .task(DigestBlocks.class)
        .collect(new DigestParts(order.blocks()));
  }

  /**
   * Computes the digest of an open dataset, and the sums of all files of the dataset in
   * hexadecimal, by name. Each file is read once, in one job, if its blocks can be found while the
   * file is read from start to end; in all other cases, including staged streams and very large
   * files, which are divided among tasks, another job computes the sums.
   *
   * @param source the whole dataset
   */
  public static WithSums withSums(OpenedSource source, JobRunner runner)
      throws IOException, InterruptedException {
    if (!isReadOnce(source)) {
      return new WithSums(FileSums.of(source.request().source(), runner), of(source, runner));
    }
    Order order = Order.of(source);
    DigestParts.Sums found = runner.run(jobWithSums(source, order));
    return new WithSums(found.files(), new DatasetDigest(found.blocks(), order.shape()));
  }

  /** Returns the jobs that compute the digest of an open dataset and the sums of its files. */
  public static List<DatasetJob<?>> jobsWithSums(OpenedSource source) throws IOException {
    return isReadOnce(source)
        ? List.of(jobWithSums(source, Order.of(source)))
        : List.of(FileSums.job(source.request().source()), job(source));
  }

  private static boolean isReadOnce(OpenedSource source) throws IOException {
    return source.staged() == null && StoredBlocks.fits(source.dataset());
  }

  private static DatasetJob<DigestParts.Sums> jobWithSums(OpenedSource source, Order order)
      throws IOException {
    return FileSums.withBlocks(source, input(source), order.ids(), order.blocks());
  }

  /**
   * The order of a dataset's blocks in its digest.
   *
   * @param ids the ids of the columns in that order
   * @param shape the shape, as in the digest
   */
  private record Order(TableShape table, List<Integer> ids, String shape) {
    static Order of(OpenedSource source) throws IOException {
      return source.dataset() instanceof ActivationDataset activations
          ? of(activations.geometry())
          : of(source.spec().dtypes().table(source.dataset()));
    }

    static Order of(Geometry geometry) {
      List<Integer> layers = geometry.layers().stream().sorted().toList();
      String shape =
          "examples=%d layers=%s tokens=%d dim=%d"
              .formatted(
                  geometry.examples(),
                  layers.stream().map(String::valueOf).collect(Collectors.joining(",")),
                  geometry.tokens(),
                  geometry.dim());
      return new Order(geometry.table(), layers, shape);
    }

    /** Returns the order of columns that are not activations: by name. */
    static Order of(TableShape table) {
      List<Integer> order =
          IntStream.range(0, table.columns().size())
              .boxed()
              .sorted(Comparator.comparing(column -> table.columns().get(column).name()))
              .toList();
      String columns =
          order.stream()
              .map(column -> QuotedJson.of(table.columns().get(column).toString()))
              .collect(Collectors.joining(",", "[", "]"));
      return new Order(
          table,
          order.stream().map(column -> table.columnIds().get(column)).toList(),
          "examples=%d columns=%s".formatted(table.examples(), columns));
    }

    long blocks() {
      return table.examples() * ids.size();
    }
  }
}
