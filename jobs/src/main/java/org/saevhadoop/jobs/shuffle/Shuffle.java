package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.shuffle.RowOrder.Unit;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.spi.StreamAccess;

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
  /** Identity of a source whose digest is not computed, to plan its shuffle. */
  private static final String UNKNOWN = DatasetDigest.PREFIX;

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
    return JobRunner.call(
        conversion.conf(), listener, runner -> run(conversion.resolve(runner).source(), runner));
  }

  /**
   * Runs the shuffle.
   *
   * @param request the source, which the conversion has found
   */
  public List<Conversion.Result> run(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    List<Conversion.Result> results = new ArrayList<>();
    try (OpenedSource opened = OpenedSource.open(staged(request, runner), runner)) {
      if (isSet(ConversionKeys.VERIFY, runner)) {
        opened.compareStaged(opened.spec().projection(), null);
      }
      OpenedSource source = opened.with(request.spec().projection());
      losses(source).forEach(runner::warning);
      Optional<String> hash = hash(source, runner);
      if (hash.isEmpty() && !isSet(ConversionKeys.RESUME, runner)) {
        plan(outputs(source, UNKNOWN, runner)); // a refusal should not follow hours of reading
      }
      String parent = hash.isPresent() ? hash.get() : digest(source, runner);
      List<Output> outputs = outputs(source, parent, runner);
      if (outputs.size() > 1) {
        plan(outputs); // nor that of the last one hours of writing
      }
      for (Output output : outputs) {
        results.add(output.conversion.run(output.rows));
      }
    }
    return results;
  }

  /**
   * Returns what {@link #run(SourceRequest, JobRunner)} would do. Nothing is written. Of a stream,
   * only the staging is planned.
   */
  public List<RunPlan> plan(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    if (OpenedSource.isStream(request)) {
      return List.of(planStaging(staged(request, runner), runner));
    }
    try (OpenedSource source = OpenedSource.open(request, runner)) {
      Optional<String> hash = hash(source, runner);
      // what an interrupted run has recorded contains the digest
      String unknown =
          hash.isEmpty() && isSet(ConversionKeys.RESUME, runner) ? digest(source, runner) : UNKNOWN;
      List<String> losses = losses(source);
      return plan(outputs(source, hash.orElse(unknown), runner)).stream()
          .map(plan -> plan.losing(losses))
          .toList();
    }
  }

  /**
   * Returns a request for what is staged of a stream: all of it if the order of the rows depends on
   * the digest of the whole stream.
   */
  private static SourceRequest staged(SourceRequest request, JobRunner runner) throws IOException {
    if (!OpenedSource.isStream(request)) {
      return request;
    }
    StreamAccess stream = request.format().format().stream().orElseThrow();
    boolean isNamed = runner.formats().identity(stream.provenance(request.location())).isPresent();
    return isNamed ? request : request.with(ProjectionRequest.EVERYTHING);
  }

  private static List<RunPlan> plan(List<Output> outputs) throws IOException, InterruptedException {
    List<RunPlan> plans = new ArrayList<>();
    for (Output output : outputs) {
      plans.add(output.conversion.plan(output.rows));
    }
    return plans;
  }

  private boolean isSet(SettingKey<Boolean> key, JobRunner runner) {
    return conversion.settings().settings(runner.conf(), List.of(key)).get(key);
  }

  private static RunPlan planStaging(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    JobPlan job = OpenedSource.planStaging(request, runner);
    Path folder = Objects.requireNonNull(job.temporary());
    TemporaryBytes staged = TemporaryBytes.of(folder, null, runner.conf());
    return new RunPlan(
        RunPlan.STAGED,
        null,
        job.maps(),
        null,
        job.bytes(),
        null,
        List.of(staged),
        List.of(),
        List.of());
  }

  private List<String> losses(OpenedSource source) throws IOException {
    return ShuffleLosses.of(source.dataset().requireActivations(), unit);
  }

  /** A dataset that is written. */
  private record Output(DatasetConversion conversion, ShuffledSource rows) {}

  /**
   * Returns the datasets that are written.
   *
   * @param parent the identity of the source
   */
  private List<Output> outputs(OpenedSource source, String parent, JobRunner runner)
      throws IOException, InterruptedException {
    ActivationDataset selected = source.dataset().requireActivations();
    source.spec().dtypes().table(selected); // outputs of one layer ignore the names of others
    List<Integer> layers = selected.geometry().layers();
    long examples = selected.geometry().examples();
    long chosen = sample == 1 ? examples : ExampleSample.of(examples, sample, seed).count();
    Map<String, @Nullable IndexRange> parts = parts(chosen);
    UnpaddedTokens kept =
        unit == Unit.VECTOR
            ? UnpaddedTokens.read(selected)
            : UnpaddedTokens.all(selected.geometry().tokens());
    List<Output> outputs = new ArrayList<>();
    for (Map.Entry<String, List<Integer>> folder : folders(layers).entrySet()) {
      ProjectionRequest layer =
          source.spec().projection().with(new LayerRequest(folder.getValue()));
      OpenedSource rows = folder.getKey().isEmpty() ? source : source.with(layer);
      RowOrder all = RowOrder.of(unit, seed, parent, folder.getValue(), rows.part());
      for (Map.Entry<String, @Nullable IndexRange> part : parts.entrySet()) {
        String path = conversion.destination() + folder.getKey() + part.getKey();
        RowOrder order = all.with(chosen, part.getValue());
        outputs.add(
            new Output(
                conversion.to(path).resolve(runner),
                ShuffledSource.of(rows, order, kept, provenance, runner)));
      }
    }
    return outputs;
  }

  /** Returns the folders of the layers: of each, unless there is one or examples stay whole. */
  private Map<String, List<Integer>> folders(List<Integer> layers) {
    if (unit == Unit.EXAMPLE || layers.size() == 1) {
      return Map.of("", layers);
    }
    Map<String, List<Integer>> folders = new LinkedHashMap<>();
    layers.forEach(layer -> folders.put("/layer_" + layer, List.of(layer)));
    return folders;
  }

  /** Returns the folders of the parts of the partition, and the examples of each. */
  private Map<String, @Nullable IndexRange> parts(long chosen) throws FormatException {
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
    return parts;
  }

  /** Returns the hash of the whole source, if it has one. */
  private static Optional<String> hash(OpenedSource source, JobRunner runner) throws IOException {
    ActivationDataset whole = source.whole().requireActivations();
    return runner.formats().identity(whole.activations().provenance()).map(DatasetIdentity::hash);
  }

  private static String digest(OpenedSource source, JobRunner runner)
      throws IOException, InterruptedException {
    runner
        .listener()
        .message(
            "shuffle: the source has no hash; computing its digest requires reading all of it");
    Geometry whole = source.whole().requireActivations().geometry();
    InputSpec input =
        source
            .spec()
            .with(ProjectionRequest.EVERYTHING)
            .with(source.spec().dtypes().identifying(whole.dtype()));
    return Digest.of(input, source, whole, runner).identity();
  }
}
