package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.json.QuotedJson;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.TaskResults;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;

/**
 * Computes the digest of a dataset, or of the part of it that {@code saev.input.*} select, in a
 * job.
 *
 * @param path the path of the dataset
 * @param conf the configuration of file systems and jobs, with the keys of the input
 */
public record Digest(String path, Configuration conf) {
  public static Digest of(String path, Configuration conf) {
    return new Digest(path, conf);
  }

  /**
   * Computes the digest.
   *
   * @throws IOException if no dataset is found, if it is malformed, or if the job fails
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public DatasetDigest run(RunListener listener) throws IOException, InterruptedException {
    return JobRunner.call(
        conf,
        listener,
        runner -> of(SourceRequest.of(path, null, SettingSource.CONFIGURATION, runner), runner));
  }

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
    return source.dataset() instanceof ActivationDataset activations
        ? of(source.spec(), source, activations.geometry(), runner)
        : ofColumns(source, source.spec().dtypes().table(source.dataset()), runner);
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
    List<Integer> layers = geometry.layers().stream().sorted().toList();
    String shape =
        "examples=%d layers=%s tokens=%d dim=%d"
            .formatted(
                geometry.examples(),
                layers.stream().map(String::valueOf).collect(Collectors.joining(",")),
                geometry.tokens(),
                geometry.dim());
    return new DatasetDigest(sha256(input, source, geometry.table(), layers, runner), shape);
  }

  /** Computes the digest of other columns, in the order of their names. */
  private static DatasetDigest ofColumns(OpenedSource source, TableShape table, JobRunner runner)
      throws IOException, InterruptedException {
    List<Integer> order =
        IntStream.range(0, table.columns().size())
            .boxed()
            .sorted(Comparator.comparing(column -> table.columns().get(column).name()))
            .toList();
    List<Integer> ids = order.stream().map(column -> table.columnIds().get(column)).toList();
    String columns =
        order.stream()
            .map(column -> QuotedJson.of(table.columns().get(column).toString()))
            .collect(Collectors.joining(",", "[", "]"));
    return new DatasetDigest(
        sha256(source.spec(), source, table, ids, runner),
        "examples=%d columns=%s".formatted(table.examples(), columns));
  }

  private static String sha256(
      InputSpec input, OpenedSource source, TableShape table, List<Integer> ids, JobRunner runner)
      throws IOException, InterruptedException {
    RecordRequest blocks = new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1);
    return runner.run(
        new DatasetJob<>(
            "digest",
            JobName.of("digest", source.request().path()),
            source.request().path(),
            List.of(source.input(input.with(Numbering.SELECTION), blocks)),
            Settings.NONE
                .with(DigestKeys.BLOCKS, table.examples() * ids.size())
                .with(DigestKeys.LAYERS, ids),
            table.examples() * table.exampleBytes(),
            tasks -> {
              tasks.setMapperClass(DigestTasks.DigestBlock.class);
              tasks.setMapOutputKeyClass(LongWritable.class);
              tasks.setMapOutputValueClass(BytesWritable.class);
              tasks.setReducerClass(DigestTasks.DigestAll.class);
              tasks.setNumReduceTasks(1);
            },
            new TaskResults<>(
                NullWritable.class,
                BytesWritable.class,
                pairs -> HexFormat.of().formatHex(pairs.get(0).getValue().copyBytes())),
            null));
  }
}
