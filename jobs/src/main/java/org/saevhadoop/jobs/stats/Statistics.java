package org.saevhadoop.jobs.stats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.PreparedReading;
import org.saevhadoop.jobs.plan.Verb;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/**
 * Runs a job that computes the statistics of a dataset, or of the part that the {@code
 * saev.input.*} keys select.
 *
 * @param path the path of the dataset
 * @param sample the fraction of the examples to read, above 0 and at most 1: one random example out
 *     of every 1/sample consecutive examples
 * @param seed the seed of the sample and of the random pairs of vectors
 * @param conf the configuration of file systems and jobs, including the input keys; null for the
 *     configuration on the class path
 */
@PublicApi
public record Statistics(String path, double sample, long seed, @Nullable Configuration conf)
    implements Verb.OfPath<DatasetStatistics> {
  /** Returns the verb for all examples of the dataset at a path. */
  public static Statistics of(String path, @Nullable Configuration conf) {
    return new Statistics(path, 1, 0, conf);
  }

  /**
   * @hidden
   */
  @Internal
  @Override
  public Prepared<DatasetStatistics> prepare(List<SourceRequest> sources, JobRunner runner) {
    return new PreparedReading<>(
        sources,
        opened -> {
          Measurement measurement = Measurement.of(opened.get(0), sample, seed);
          return measurement.isEmpty() ? List.of() : List.of(measurement.job());
        },
        opened -> {
          opened.get(0).dataset().warnings().forEach(runner::warning);
          Measurement measurement = Measurement.of(opened.get(0), sample, seed);
          return measurement.statistics(
              measurement.isEmpty()
                  ? new GroupParts(measurement.layout).none()
                  : runner.run(measurement.job()));
        },
        runner);
  }

  /** The statistics job for an open dataset. */
  private record Measurement(
      OpenedSource source,
      ActivationDataset dataset,
      @Nullable ExampleSample sample,
      StatsLayout layout,
      long seed) {
    static Measurement of(OpenedSource source, double sample, long seed) throws IOException {
      ActivationDataset dataset = source.dataset().requireActivations();
      DType dtype = dataset.geometry().dtype();
      DatasetError.UNSUPPORTED.check(
          dtype != DType.C64,
          source.request().location().path(),
          "has values of type %s (expected real numbers)",
          dtype);
      long examples = dataset.geometry().examples();
      ExampleSample chosen =
          sample == 1 || examples == 0 ? null : ExampleSample.of(examples, sample, seed);
      return new Measurement(source, dataset, chosen, StatsLayout.of(dataset, chosen), seed);
    }

    boolean isEmpty() {
      return layout.sampled() == 0;
    }

    DatasetJob<Queue<LayerSums>> job() {
      TableShape table = layout.geometry().table();
      RecordRequest blocks =
          new RecordRequest(
              RecordSelection.Unit.BLOCK,
              layout.byLayer(),
              BlockOrder.byExample(table).columns(),
              layout.groupExamples(),
              sample);
      InputSpec spec = source.spec();
      return DatasetJob.step("stats", source.request().source())
          .reading(
              source.input(spec.with(spec.dtypes().orStored()).with(Numbering.SELECTION), blocks))
          .with(Settings.NONE.with(StatsKeys.SEED, seed).with(ConversionKeys.RUNS, true))
          .bytes(layout.sampled() * table.exampleBytes())
          .task(StatsBlocks.class)
          .collect(new GroupParts(layout));
    }

    /**
     * Returns the statistics and removes the sums of each layer in turn, because the sums of all
     * layers are large.
     */
    DatasetStatistics statistics(Queue<LayerSums> sums) {
      Geometry geometry = layout.geometry();
      List<LayerStatistics> layers = new ArrayList<>();
      for (int layer : geometry.layers()) {
        layers.add(sums.remove().statistics(dataset, layer));
      }
      return new DatasetStatistics(
          source.request().location().path(),
          geometry.examples(),
          layout.sampled(),
          geometry.tokens(),
          geometry.dim(),
          seed,
          IntStream.range(0, geometry.tokens()).mapToObj(dataset::sourceToken).toList(),
          layers);
    }
  }
}
