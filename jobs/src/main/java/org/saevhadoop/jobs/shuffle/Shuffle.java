package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.shuffle.ExampleChoice;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.shuffle.ShuffleOrder;
import org.saevhadoop.format.shuffle.ShuffleOrder.Unit;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Writes the vectors, or the examples, of a dataset in a random order.
 *
 * @param conversion the source, what is selected of it, the destination and its format
 * @param unit what is shuffled
 * @param seed determines the order, with the source and the selection
 * @param sample the fraction of the examples that is written; 1 for all
 * @param partition the parts into which the examples are divided; empty for one dataset of all
 * @param provenance whether the example, the token and the layer of each row are written
 */
public record Shuffle(
    Conversion conversion,
    Unit unit,
    long seed,
    double sample,
    List<Part> partition,
    boolean provenance) {
  /**
   * A part of the examples, which is written to a folder of its name.
   *
   * @param fraction the fraction of the examples that it has
   */
  public record Part(String name, double fraction) {}

  public Shuffle {
    partition = List.copyOf(partition);
  }

  /** Returns a shuffle of all vectors. */
  public static Shuffle of(Conversion conversion, long seed) {
    return new Shuffle(conversion, Unit.VECTOR, seed, 1, List.of(), false);
  }

  /**
   * Runs the shuffle.
   *
   * @return what was written: a dataset of each layer if vectors are shuffled, otherwise one
   * @throws IOException if the source is malformed, the destination cannot be written, or a job
   *     fails
   * @throws InterruptedException if the thread is interrupted; jobs have been killed
   */
  public List<Conversion.Result> run(RunListener listener)
      throws IOException, InterruptedException {
    return JobRunner.call(conversion.conf(), listener, this::run);
  }

  /** Runs the shuffle. */
  public List<Conversion.Result> run(JobRunner runner) throws IOException, InterruptedException {
    return each(runner, false, DatasetConversion::run);
  }

  /** Returns what {@link #run(JobRunner)} would do. Nothing is written. */
  public List<RunPlan> plan(JobRunner runner) throws IOException, InterruptedException {
    return each(runner, true, DatasetConversion::plan);
  }

  /** What is done with a dataset that is written. */
  private interface Work<R> {
    R of(DatasetConversion conversion, ShuffledSource source)
        throws IOException, InterruptedException;
  }

  private <R> List<R> each(JobRunner runner, boolean dryRun, Work<R> work)
      throws IOException, InterruptedException {
    SourceRequest request = conversion.resolve(runner).source();
    List<R> results = new ArrayList<>();
    try (OpenedSource source = OpenedSource.open(request, runner)) {
      ActivationDataset part = source.dataset().requireActivations();
      List<Integer> layers = part.geometry().layers();
      String parent = identity(source, dryRun, runner);
      if (unit == Unit.EXAMPLE || layers.size() == 1) {
        ShuffleOrder order = ShuffleOrder.of(unit, seed, parent, layers, source.part());
        eachPart("", source, order, runner, work, results);
        return results;
      }
      for (int layer : layers) {
        ProjectionRequest projection = source.spec().projection();
        OpenedSource one = source.with(projection.with(new LayerRequest(List.of(layer))));
        ShuffleOrder order = ShuffleOrder.of(unit, seed, parent, List.of(layer), one.part());
        eachPart("/layer_" + layer, one, order, runner, work, results);
      }
    }
    return results;
  }

  /** Does the work for each part of the partition, in folders below a folder. */
  private <R> void eachPart(
      String folder,
      OpenedSource source,
      ShuffleOrder order,
      JobRunner runner,
      Work<R> work,
      List<R> results)
      throws IOException, InterruptedException {
    long examples = source.part().exampleCount();
    long chosen = sample == 1 ? examples : ExampleSample.of(examples, sample, seed).count();
    Map<String, @Nullable IndexRange> parts = new LinkedHashMap<>();
    if (partition.isEmpty()) {
      parts.put("", null);
    }
    List<Double> fractions = partition.stream().map(Part::fraction).toList();
    List<@Nullable IndexRange> ranges = ExampleChoice.divide(chosen, fractions);
    for (int i = 0; i < partition.size(); i++) {
      String name = partition.get(i).name();
      DatasetError.EMPTY_SELECTION.check(
          ranges.get(i) != null,
          conversion.source(),
          "has %d examples to divide, and part %s has none of them (expected a larger fraction)",
          chosen,
          name);
      parts.put("/" + name, ranges.get(i));
    }
    for (Map.Entry<String, @Nullable IndexRange> part : parts.entrySet()) {
      Conversion below = conversion.to(conversion.destination() + folder + part.getKey());
      ShuffleOrder chosenOrder = order.with(chosen, part.getValue());
      results.add(
          work.of(
              below.resolve(runner),
              new ShuffledSource(source, chosenOrder, provenance, runner)));
    }
  }

  /** Returns the hash of the whole source or, if it has none, its digest. */
  private static String identity(OpenedSource source, boolean dryRun, JobRunner runner)
      throws IOException, InterruptedException {
    ActivationDataset whole = source.whole().requireActivations();
    Optional<DatasetIdentity> known = runner.formats().identity(whole.activations().provenance());
    if (known.isPresent()) {
      return known.get().hash();
    }
    if (dryRun) {
      return DatasetDigest.PREFIX;
    }
    runner
        .listener()
        .message(
            "shuffle: the source has no hash; computing its digest requires reading all of it");
    return Digest.of(
            source.spec().with(ProjectionRequest.EVERYTHING), source, whole.geometry(), runner)
        .identity();
  }
}
