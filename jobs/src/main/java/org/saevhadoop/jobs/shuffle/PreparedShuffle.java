package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.shuffle.SideRow;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.convert.SourceNormalization;
import org.saevhadoop.jobs.convert.StagedConversion;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.DigestJob;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/** A shuffle of a dataset that has been found. */
record PreparedShuffle(Shuffle shuffle, SourceRequest request, JobRunner runner)
    implements Prepared<List<Shuffle.Result>> {
  /**
   * A placeholder for the identity of a source whose digest is not computed, for planning its
   * shuffle. It is as long as a digest, so that the sizes of files are known.
   */
  private static final String UNKNOWN = DatasetDigest.PREFIX + "0".repeat(64);

  private static final String NO_HASH =
      "the source has no hash; computing its digest requires reading all of it";

  @Override
  public List<Shuffle.Result> run() throws IOException, InterruptedException {
    List<Shuffle.Result> results = new ArrayList<>();
    try (OpenedSource opened = OpenedSource.open(staged(), runner)) {
      if (isSet(ConversionKeys.VERIFY)) {
        opened.compareStaged(opened.spec().projection(), null);
      }
      OpenedSource source = opened.with(request.spec().projection());
      source.dataset().warnings().forEach(runner::warning);
      losses(source).forEach(runner::warning);
      Rows rows = rows(source);
      changes(rows.kept, source).forEach(line -> runner.listener().message("shuffle: " + line));
      Optional<String> hash = hash(source);
      if (hash.isEmpty() && !isSet(ConversionKeys.RESUME)) {
        // a refusal should not follow hours of reading
        plan(outputs(source, rows, UNKNOWN));
      }
      String parent = hash.isPresent() ? hash.get() : digest(source);
      List<Output> outputs = outputs(source, rows, parent);
      if (datasets(outputs) > 1) {
        reportPasses(plan(outputs)); // nor should a refusal follow hours of writing
      }
      long examples = source.dataset().requireActivations().geometry().examples();
      long unassigned = unassigned(chosen(examples));
      for (Output output : outputs) {
        List<Conversion.Result> written = output.conversion.run();
        for (int i = 0; i < written.size(); i++) {
          results.add(new Shuffle.Result(written.get(i), output.paddings.get(i), unassigned));
        }
      }
    }
    return results;
  }

  /** {@inheritDoc} For a stream, only the staging is planned. */
  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
    if (OpenedSource.isStream(request)) {
      List<String> changes =
          shuffle.partition().isEmpty() || Shuffle.sum(shuffle.partition()).equals(BigDecimal.ONE)
              ? List.of()
              : List.of(
                  "examples are left out because --partition adds up to "
                      + Shuffle.sum(shuffle.partition()));
      return List.of(RunPlanBuilder.noting(planStaging(), List.of(), changes));
    }
    try (OpenedSource source = OpenedSource.open(request, runner)) {
      Optional<String> hash = hash(source);
      // the record of an interrupted run contains the digest
      String parent =
          hash.isEmpty() && isSet(ConversionKeys.RESUME) ? digest(source) : hash.orElse(UNKNOWN);
      List<String> losses = losses(source);
      Rows rows = rows(source);
      List<String> changes = changes(rows.kept, source);
      List<RunPlan> plans = plan(outputs(source, rows, parent));
      reportPasses(plans);
      if (parent.equals(UNKNOWN)
          && shuffle.conversion().prepare(List.of(request), runner).writesBelow()) {
        plans = unnamed(plans);
      }
      return plans.stream().map(plan -> RunPlanBuilder.noting(plan, losses, changes)).toList();
    }
  }

  private static int datasets(List<Output> outputs) {
    return outputs.stream().mapToInt(output -> output.paddings.size()).sum();
  }

  /**
   * Reports how often the source is read for a partition: more than once if memory is insufficient.
   */
  private void reportPasses(List<RunPlan> plans) {
    long passes = plans.stream().filter(plan -> plan.plan().equals(RunPlan.TWO_PASSES)).count();
    if (!shuffle.partition().isEmpty() && passes > 0) {
      runner
          .listener()
          .message(
              Quote.sentence(
                  "shuffle: %d %s over the source for the rows of %d datasets",
                  passes, passes == 1 ? "pass" : "passes", plans.size()));
    }
  }

  /**
   * Returns a request for the part of a stream to stage: the whole stream if the order of the rows
   * depends on its digest.
   */
  private SourceRequest staged() throws IOException {
    if (request.several() != null || !OpenedSource.isStream(request)) {
      return request;
    }
    StreamAccess stream = request.format().stream().orElseThrow();
    Provenance provenance = stream.provenance(request.location(), request.spec().format());
    boolean isNamed = runner.formats().identity(provenance).isPresent();
    return isNamed ? request : request.with(ProjectionRequest.EVERYTHING);
  }

  private List<RunPlan> plan(List<Output> outputs) throws IOException, InterruptedException {
    List<RunPlan> plans = new ArrayList<>();
    FormatException exists = null;
    int missing = 0;
    for (Output output : outputs) {
      try {
        List<RunPlan> own = output.conversion.describe();
        plans.addAll(own);
        missing += own.size();
      } catch (FormatException e) {
        if (e.kind() != FileError.ALREADY_EXISTS || isSet(ConversionKeys.RESUME)) {
          throw e;
        }
        exists = exists == null ? e : exists;
        missing += output.conversion.missing();
      }
    }
    if (exists == null) {
      return plans;
    }
    FileError.ALREADY_EXISTS.check(
        missing == 0,
        exists.path(),
        "already exists, with %d of the %d datasets of this shuffle missing (expected a new path,"
            + " --overwrite, or --resume if a shuffle was interrupted)",
        missing,
        datasets(outputs));
    throw exists;
  }

  private boolean isSet(SettingKey<Boolean> key) {
    return shuffle.conversion().settings().settings(runner.configured(), List.of(key)).get(key);
  }

  private RunPlan planStaging() throws IOException, InterruptedException {
    JobPlan job = OpenedSource.planStaging(staged(), runner);
    StoragePath folder = Objects.requireNonNull(job.temporary());
    return RunPlanBuilder.of(RunPlan.STAGED)
        .reading(job)
        .writing(null, null, null)
        .temporary(RunPlanBuilder.temporary(folder, null))
        .build();
  }

  private List<String> losses(OpenedSource source) throws IOException {
    return ShuffleLosses.of(source.dataset().requireActivations(), shuffle.unit());
  }

  /** Returns the number of vectors of a layer that are left out as padding, if there are any. */
  private List<String> changes(UnpaddedTokens kept, OpenedSource source) throws IOException {
    Geometry geometry = source.dataset().requireActivations().geometry();
    RowOrder all =
        RowOrder.of(shuffle.unit(), shuffle.seed(), UNKNOWN, geometry.layers(), source.part());
    ExampleChoice choice = ExampleChoice.of(all.with(chosen(geometry.examples()), null));
    long padding = kept.padding(choice);
    List<String> changes = new ArrayList<>(SourceNormalization.changes(source));
    if (padding > 0) {
      changes.add(
          Quote.sentence(
              "%d of %d vectors of a layer are padding and are left out",
              padding, choice.count() * kept.tokens()));
    }
    long chosen = chosen(geometry.examples());
    long unassigned = unassigned(chosen);
    if (unassigned > 0) {
      double share = 100.0 * unassigned / chosen;
      changes.add(
          String.format(
              Locale.ROOT,
              "%d of %d examples (%.1f%%) are in no part and are left out because --partition"
                  + " adds up to %s",
              unassigned,
              chosen,
              share,
              Shuffle.sum(shuffle.partition()).toPlainString()));
    }
    return changes;
  }

  /** Returns the number of examples that no part of the partition contains. */
  private long unassigned(long chosen) {
    long assigned = 0;
    for (IndexRange part : ranges(chosen)) {
      assigned += part == null ? 0 : part.length();
    }
    return shuffle.partition().isEmpty() ? 0 : chosen - assigned;
  }

  private List<@Nullable IndexRange> ranges(long chosen) {
    return ExampleChoice.divide(
        chosen, shuffle.partition().stream().map(Shuffle.Part::fraction).toList());
  }

  private long chosen(long examples) {
    return shuffle.sample() == 1
        ? examples
        : ExampleSample.of(examples, shuffle.sample(), shuffle.seed()).count();
  }

  /**
   * The properties of the rows that are known before the rows are read.
   *
   * @param kept the tokens that have rows; all tokens if rows are examples
   * @param side the side data for each row
   */
  private record Rows(UnpaddedTokens kept, SideRow side) {}

  private Rows rows(OpenedSource source) throws IOException {
    SourceNormalization.check(source, isSet(ConversionKeys.NORMALIZE_AGAIN));
    ActivationDataset selected = source.dataset().requireActivations();
    int tokens = selected.geometry().tokens();
    boolean isVector = shuffle.unit() == RowUnit.VECTOR;
    int marks = !isVector && TokenPadding.isIn(selected) ? tokens : 0;
    return new Rows(
        isVector ? UnpaddedTokens.read(selected) : UnpaddedTokens.all(tokens),
        new SideRow(
            shuffle.provenance(), ShuffleLosses.labelsOfRow(selected, shuffle.unit()), marks));
  }

  /**
   * Datasets of the same layers, whose rows are staged together.
   *
   * @param paddings the number of vectors that each dataset leaves out as padding
   */
  private record Output(StagedConversion conversion, List<Long> paddings) {}

  /**
   * Returns the datasets that are written: one for each folder of layers.
   *
   * @param parent the identity of the source
   */
  private List<Output> outputs(OpenedSource source, Rows known, String parent)
      throws IOException, InterruptedException {
    ActivationDataset selected = source.dataset().requireActivations();
    source.spec().dtypes().table(selected); // outputs of one layer ignore the names of others
    List<Integer> layers = selected.geometry().layers();
    long chosen = chosen(selected.geometry().examples());
    Map<String, @Nullable IndexRange> parts = parts(chosen);
    Map<String, List<Integer>> folders = folders(layers);
    boolean keepsTypes = shuffle.conversion().keepsStoredType(selected.geometry().dtype(), runner);
    if (!folders.containsKey("") || !parts.containsKey("")) {
      shuffle.conversion().prepare(List.of(source.request()), runner).checkFolder();
    }
    List<Output> outputs = new ArrayList<>();
    for (Map.Entry<String, List<Integer>> folder : folders.entrySet()) {
      ProjectionRequest layer =
          source.spec().projection().with(new LayerRequest(folder.getValue()));
      OpenedSource rows = folder.getKey().isEmpty() ? source : source.with(layer);
      RowOrder all =
          RowOrder.of(shuffle.unit(), shuffle.seed(), parent, folder.getValue(), rows.part());
      List<RowOrder> orders = new ArrayList<>();
      List<DatasetConversion> written = new ArrayList<>();
      for (Map.Entry<String, @Nullable IndexRange> part : parts.entrySet()) {
        String path = shuffle.conversion().destination() + folder.getKey() + part.getKey();
        orders.add(all.with(chosen, part.getValue()));
        written.add(shuffle.conversion().to(path).prepare(List.of(source.request()), runner));
      }
      ShuffleStage stage =
          ShuffleStage.of(rows, orders, known.kept, known.side, keepsTypes, runner);
      outputs.add(
          new Output(
              StagedConversion.of(written, stage),
              stage.datasets().stream().map(dataset -> dataset.order().padding()).toList()));
    }
    return outputs;
  }

  /**
   * Returns the folders of the layers: one folder for each layer, unless there is only one layer or
   * examples stay whole.
   */
  private Map<String, List<Integer>> folders(List<Integer> layers) {
    if (shuffle.unit() == RowUnit.EXAMPLE || layers.size() == 1) {
      return Map.of("", layers);
    }
    Map<String, List<Integer>> folders = new LinkedHashMap<>();
    layers.forEach(layer -> folders.put("/layer_" + layer, List.of(layer)));
    return folders;
  }

  /** Returns the folder of each part of the partition, with the examples of the part. */
  private Map<String, @Nullable IndexRange> parts(long chosen) throws FormatException {
    Map<String, @Nullable IndexRange> parts = new LinkedHashMap<>();
    if (shuffle.partition().isEmpty()) {
      parts.put("", null);
    }
    List<@Nullable IndexRange> ranges = ranges(chosen);
    for (int i = 0; i < shuffle.partition().size(); i++) {
      String name = shuffle.partition().get(i).name();
      DatasetError.EMPTY_SELECTION.check(
          ranges.get(i) != null,
          shuffle.conversion().source(),
          "part %s would be empty: %d examples are divided (expected a larger fraction)",
          name,
          chosen);
      parts.put("/" + name, ranges.get(i));
    }
    return parts;
  }

  private Optional<String> hash(OpenedSource source) throws IOException {
    ActivationDataset whole = source.whole().requireActivations();
    return runner.formats().identity(whole.activations().provenance()).map(DatasetIdentity::hash);
  }

  private List<RunPlan> unnamed(List<RunPlan> plans) throws IOException {
    StoragePath target = runner.path(shuffle.conversion().destination());
    List<RunPlan> unnamed = new ArrayList<>();
    for (RunPlan plan : plans) {
      StoragePath named = runner.path(Objects.requireNonNull(plan.path()));
      unnamed.add(RunPlanBuilder.unnamed(plan, RunPaths.of(named), target, NO_HASH));
    }
    return unnamed;
  }

  private String digest(OpenedSource source) throws IOException, InterruptedException {
    runner.listener().message("shuffle: " + NO_HASH);
    Geometry whole = source.whole().requireActivations().geometry();
    InputSpec input =
        source
            .spec()
            .with(ProjectionRequest.EVERYTHING)
            .with(source.spec().dtypes().identifying(whole.dtype()));
    return DigestJob.of(input, source, whole, runner).identity();
  }
}
