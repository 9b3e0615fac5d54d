package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.combined.CombinedTable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.publish.run.SourceState;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.convert.DatasetDestination;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SeveralRequests;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * A merge of sources that have been found.
 *
 * @param several the sources as one dataset
 * @param target the path that the user named
 */
record PreparedMerge(
    List<SourceRequest> sources,
    SeveralRequests several,
    DatasetFormat format,
    StoragePath target,
    Settings settings,
    JobRunner runner)
    implements Prepared<Merge.Result> {
  /**
   * The way in which sources become one dataset.
   *
   * @param combined the sources as one dataset; null if they must be staged
   * @param states the state of each source before it was opened
   */
  private record Decision(MergePlan plan, @Nullable TableDataset combined, List<String> states) {
    List<String> losses() {
      List<String> losses = new ArrayList<>(combined == null ? List.of() : combined.warnings());
      losses.addAll(plan.losses());
      return losses;
    }

    @Nullable Geometry geometry() {
      return combined instanceof ActivationDataset activations ? activations.geometry() : null;
    }
  }

  @Override
  public Merge.Result run() throws IOException, InterruptedException {
    Decision decision = decide();
    if (decision.plan.obstacle() != null) {
      Conversion.Result written = rewriting(decision.plan.obstacle()).run();
      return new Merge.Result(
          written.path(),
          format.name(),
          RunPlan.MAP_ONLY,
          written.geometry(),
          written.files().table().examples(),
          written.files().shardCount(),
          null);
    }
    decision.losses().forEach(runner::warning);
    MergeRun run = copies(decision);
    run.run();
    return new Merge.Result(
        run.destination().published().shown(),
        format.name(),
        RunPlan.COPY,
        decision.geometry(),
        decision.combined == null ? null : decision.combined.table().examples(),
        decision.plan.files().size(),
        decision.plan.bytes());
  }

  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
    Decision decision = decide();
    if (decision.plan.obstacle() != null) {
      return rewriting(decision.plan.obstacle()).describe();
    }
    return List.of(copies(decision).describe().losing(decision.losses()).build());
  }

  /** Returns the conversion of the combined datasets to their format. */
  private Prepared<Conversion.Result> rewriting(String obstacle) throws IOException {
    runner.listener().message("merge: examples are rewritten: " + obstacle);
    InputSpec types = InputSpec.of(Settings.NONE, List.of()).with(sources.get(0).spec().dtypes());
    FileMerge merge = format.merging().orElse(null);
    Settings stored = merge == null ? Settings.NONE : merge.writing(files());
    return new DatasetConversion(
        SourceRequest.several(several, types), format, target, settings.and(stored), false, runner);
  }

  private MergeRun copies(Decision decision) throws IOException {
    DatasetDestination destination =
        DatasetDestination.of(
            sources.stream().map(SourceRequest::source).toList(),
            DatasetDestination.below(target, decision.plan.directory()),
            settings,
            runner);
    destination.checkPath();
    destination.checkAbove();
    return new MergeRun(
        new CopyJob(sources, format, runner),
        decision.plan,
        new CopiedFiles(decision.plan.files()),
        decision.states,
        destination,
        settings,
        runner);
  }

  /** Checks the sources and decides whether their files can be copied unchanged. */
  private Decision decide() throws IOException {
    MergeDestination.check(target, settings, runner);
    List<String> states = SourceState.ofEach(sources.stream().map(SourceRequest::source).toList());
    MergeConflicts.Found found = new MergeConflicts(several, target, runner).check(List.of());
    DatasetError.UNSUPPORTED.check(
        format.writing().isPresent(),
        sources.get(0).source().shown(),
        "%s can only be read (expected convert SRC DST --with SRC, which writes another format)",
        format.name());
    boolean isOpen = found.open().size() == sources.size();
    TableDataset combined = isOpen ? several.combine(found.open(), runner) : null;
    Optional<String> obstacle = obstacle(combined);
    if (found.files() == null || obstacle.isPresent()) {
      String other = "files of the format %s cannot be merged".formatted(format.name());
      return new Decision(MergePlan.rewriting(obstacle.orElse(other)), combined, states);
    }
    MergePlan plan =
        found.files().plan(combined, source -> found.open().get(source).opener().get());
    if (isOpen && plan.obstacle() == null) { // otherwise, the conversion warns
      several.warn(found.open(), runner);
    }
    return new Decision(plan, combined, states);
  }

  private List<FileMerge.Source> files() {
    return sources.stream().map(MergeConflicts::file).toList();
  }

  /** Returns the reason why the sources are not copied as a whole. */
  private Optional<String> obstacle(@Nullable TableDataset combined) {
    boolean layers = combined instanceof CombinedTable all && all.way() == Combine.LAYERS;
    if (layers || several.way() == Combine.LAYERS) {
      return Optional.of("the sources have other layers of the same examples");
    }
    if (several.renumber()) {
      return Optional.of("the examples are renumbered");
    }
    for (SourceRequest source : sources) {
      boolean typed =
          source.spec().dtypes().all() != null || !source.spec().dtypes().own().isEmpty();
      if (typed || !source.spec().projection().isEverything()) {
        return Optional.of("only a part of the sources, or a different type, is requested");
      }
    }
    return Optional.empty();
  }
}
