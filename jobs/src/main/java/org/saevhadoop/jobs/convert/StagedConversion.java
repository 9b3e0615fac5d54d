package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlan.RemovedFiles;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/**
 * Conversions of datasets that are first made from one source, in a folder next to the destination
 * of the first conversion.
 *
 * @param conversions a conversion of each dataset, with source and destination
 */
public record StagedConversion(List<DatasetConversion> conversions, Stage stage)
    implements Prepared<List<Conversion.Result>> {
  public StagedConversion {
    conversions = List.copyOf(conversions);
  }

  /** Returns the conversions after checking their paths. */
  public static StagedConversion of(List<DatasetConversion> conversions, Stage stage)
      throws IOException {
    for (DatasetConversion conversion : conversions) {
      conversion.checkTarget();
    }
    return new StagedConversion(conversions, stage);
  }

  private DatasetConversion first() {
    return conversions.get(0);
  }

  private JobRunner runner() {
    return first().runner();
  }

  /** Returns the folder in which the datasets are made. */
  private StoragePath folder() throws IOException {
    return first().destination().staging(first().source().source(), first().writesBelow());
  }

  /**
   * Returns the plans of the conversions of the datasets to be made; empty if they are not known
   * yet.
   */
  private List<PlannedConversion> planned() throws IOException {
    List<OpenedSource> made = made();
    List<PlannedConversion> planned = new ArrayList<>();
    for (int i = 0; i < made.size(); i++) {
      planned.add(conversions.get(i).decisions(true).on(made.get(i)));
    }
    return planned;
  }

  private List<OpenedSource> made() throws IOException {
    return stage.planned(RunPaths.data(folder()));
  }

  /** Makes the checks that are possible before the datasets are made. */
  private List<PlannedConversion> check() throws IOException {
    stage.check();
    List<PlannedConversion> planned = planned();
    if (planned.isEmpty() && !first().writesBelow()) {
      first().destination().check();
    }
    return planned;
  }

  /** Returns the number of datasets whose paths are free. */
  public int missing() throws IOException, InterruptedException {
    List<OpenedSource> made = made();
    int missing = 0;
    for (int i = 0; i < made.size(); i++) {
      try {
        conversions.get(i).decisions(true).on(made.get(i)).plan();
        missing++;
      } catch (FormatException e) {
        if (e.kind() != FileError.ALREADY_EXISTS) {
          throw e;
        }
      }
    }
    return missing;
  }

  /** A pass over the source, and the numbers of the datasets that it makes. */
  private record Pass(List<Integer> datasets, Stage stage, List<WritePlan> files) {}

  /**
   * Returns the passes that make some datasets.
   *
   * @param planned the plans of all datasets; empty if they are not known yet
   */
  private List<Pass> passes(List<Integer> datasets, List<PlannedConversion> planned)
      throws IOException {
    if (planned.isEmpty()) {
      return List.of(new Pass(datasets, stage, List.of()));
    }
    Stage left = datasets.size() < conversions.size() ? stage.only(datasets) : stage;
    List<WritePlan> files = datasets.stream().map(i -> planned.get(i).write().plan()).toList();
    List<Pass> passes = new ArrayList<>();
    for (List<Integer> some : left.passes(files)) {
      passes.add(
          new Pass(
              some.stream().map(datasets::get).toList(),
              some.size() < datasets.size() ? left.only(some) : left,
              some.stream().map(files::get).toList()));
    }
    return passes;
  }

  private List<Integer> all() {
    return IntStream.range(0, conversions.size()).boxed().toList();
  }

  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
    List<PlannedConversion> planned = check();
    List<RunPlan> plans = new ArrayList<>();
    for (PlannedConversion conversion : planned) {
      plans.add(conversion.plan());
    }
    List<Integer> left = new ArrayList<>(all());
    left.removeIf(i -> !plans.isEmpty() && plans.get(i).plan().equals(RunPlan.NOTHING));
    if (left.isEmpty()) {
      return plans;
    }
    boolean resumed = claim().check().isPresent();
    for (Pass pass : passes(left, planned)) {
      describe(pass, resumed, plans);
      resumed = false; // the folder belongs to one pass at a time
    }
    List<RemovedFiles> removed = new ArrayList<>(first().destination().removed(folder()));
    if (planned.isEmpty() && !first().writesBelow()) {
      removed.addAll(first().destination().removed());
    }
    int first = left.get(0);
    plans.set(first, RunPlanBuilder.removing(plans.get(first), removed));
    return plans;
  }

  /** For some datasets, replaces the plans of the second pass with plans of both passes. */
  private void describe(Pass pass, boolean resumed, List<RunPlan> plans)
      throws IOException, InterruptedException {
    StoragePath data = RunPaths.data(folder());
    Long bytes = pass.stage.temporaryBytes(pass.files, data, resumed);
    checkSpace(bytes, pass, plans);
    JobPlan first = pass.stage.plan(pass.files, data, resumed);
    TemporaryBytes temporary = RunPlanBuilder.temporary(folder(), bytes);
    if (plans.isEmpty()) {
      String path = first().writesBelow() ? null : first().target().shown();
      plans.add(
          RunPlanBuilder.of(RunPlan.STAGED)
              .reading(first)
              .temporary(temporary)
              .writing(path, null, null)
              .build());
      return;
    }
    for (int i : pass.datasets) {
      boolean isFirst = i == pass.datasets.get(0);
      RunPlan next = plans.get(i);
      plans.set(
          i,
          isFirst
              ? RunPlanBuilder.after(first, temporary, next)
              : RunPlanBuilder.afterAnother(next));
    }
  }

  /**
   * Checks that there is enough space for the temporary files of a pass and the data files that
   * result from it.
   *
   * @param plans the plans of all datasets; empty if they are not known yet
   */
  private void checkSpace(@Nullable Long temporary, Pass pass, List<RunPlan> plans)
      throws IOException {
    if (temporary != null && !plans.isEmpty()) {
      long written =
          pass.datasets.stream()
              .map(i -> plans.get(i).bytesWritten())
              .filter(Objects::nonNull)
              .mapToLong(Long::longValue)
              .sum();
      SpaceCheck.of(first().settings(), first().target(), runner()).check(temporary, written);
    }
  }

  @Override
  public List<Conversion.Result> run() throws IOException, InterruptedException {
    List<PlannedConversion> planned = check();
    List<RunPlan> plans = new ArrayList<>();
    for (PlannedConversion conversion : planned) {
      plans.add(conversion.plan());
    }
    TreeMap<Integer, Conversion.Result> results = new TreeMap<>();
    List<Integer> left = new ArrayList<>(all());
    left.removeIf(i -> !planned.isEmpty() && planned.get(i).isThere());
    for (int i : all()) {
      if (!left.contains(i)) {
        OpenedSource made = made().get(i);
        results.put(i, conversions.get(i).decisions(false).on(made).run(stage::compare));
      }
    }
    if (left.isEmpty()) {
      removeStaging();
    } else {
      for (Pass pass : passes(left, planned)) {
        run(pass, plans, results);
      }
    }
    return List.copyOf(results.values());
  }

  private void run(Pass pass, List<RunPlan> plans, TreeMap<Integer, Conversion.Result> results)
      throws IOException, InterruptedException {
    try (RunFolder staging = claim().run()) {
      ListedSource read = ListedSource.of(first().source().sources());
      try {
        checkSpace(pass.stage.temporaryBytes(pass.files, staging.data(), true), pass, plans);
        convertRepaired(pass, read, staging, results);
        staging.markPublished();
      } catch (IOException | InterruptedException | RuntimeException e) {
        if (!read.isMissingAny(e)) {
          RunFailure.record(staging, e);
        }
        if (staging.isKept()) {
          runner()
              .warning(
                  "staged blocks stay in %s: the same command with --resume uses them"
                      .formatted(staging.path()));
        }
        throw e;
      }
    }
  }

  private PlannedClaim claim() throws IOException {
    return first()
        .destination()
        .claimStaging(first().source().source(), stage.recorded(), first().writesBelow());
  }

  /** Makes datasets and converts them; repeats both if a made dataset is found to be damaged. */
  private void convertRepaired(
      Pass pass, ListedSource read, RunFolder staging, TreeMap<Integer, Conversion.Result> results)
      throws IOException, InterruptedException {
    StagedRepairs repairs = new StagedRepairs(first().source().stagedIn(staging.data()), runner());
    repairs.begin();
    Resumed resumed = new Resumed();
    while (true) {
      resumed.begun = null;
      try {
        convert(pass, pass.stage.make(pass.files, staging), resumed, results);
        return;
      } catch (IOException | RuntimeException e) {
        if (!repairs.isRepairable(e)) {
          throw e;
        }
        read.check();
        resumed.repeat();
      }
    }
  }

  /** A conversion that is continued after a repair of its input. */
  private static final class Resumed {
    private @Nullable PlannedConversion begun;
    private boolean isContinued;

    Settings settings(Settings asked) {
      return isContinued ? asked.with(ConversionKeys.RESUME, true) : asked;
    }

    void repeat() throws IOException {
      isContinued |= begun != null && begun.isBegun();
    }
  }

  /** Converts the datasets of a pass that have not been converted. */
  private void convert(
      Pass pass,
      List<OpenedSource> made,
      Resumed resumed,
      TreeMap<Integer, Conversion.Result> results)
      throws IOException, InterruptedException {
    for (int k = 0; k < made.size(); k++) {
      int i = pass.datasets.get(k);
      try (OpenedSource source = made.get(k)) {
        if (!results.containsKey(i)) {
          DatasetConversion conversion = conversions.get(i);
          Settings settings = resumed.settings(conversion.settings());
          resumed.begun = conversion.decisions(settings, false).on(source);
          results.put(i, resumed.begun.run(stage::compare));
          resumed.begun = null;
          resumed.isContinued = false;
        }
      }
    }
  }

  /** Removes the leftovers of a run that was killed after it had published the datasets. */
  private void removeStaging() throws IOException {
    if (folder().kind() != StoragePath.Kind.MISSING) {
      try (RunFolder staging = claim().run()) {
        staging.markPublished();
      }
    }
  }
}
