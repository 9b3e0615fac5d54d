package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
 */
public record Shuffle(Conversion conversion, Unit unit, long seed) {
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
        results.add(work.of(conversion.resolve(runner), shuffled(source, layers, parent, runner)));
        return results;
      }
      for (int layer : layers) {
        ProjectionRequest projection = source.spec().projection();
        OpenedSource one = source.with(projection.with(new LayerRequest(List.of(layer))));
        DatasetConversion below =
            conversion.to(conversion.destination() + "/layer_" + layer).resolve(runner);
        results.add(work.of(below, shuffled(one, List.of(layer), parent, runner)));
      }
    }
    return results;
  }

  private ShuffledSource shuffled(
      OpenedSource source, List<Integer> layers, String parent, JobRunner runner) {
    ShuffleOrder order = ShuffleOrder.of(unit, seed, parent, layers, source.part());
    return new ShuffledSource(source, order, runner);
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
