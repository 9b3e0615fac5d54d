package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/**
 * A conversion of a dataset that is made of the source first.
 *
 * @param conversion the source, and what is written where
 */
record StagedConversion(DatasetConversion conversion, Stage stage)
    implements Prepared<Conversion.Result> {
  private JobRunner runner() {
    return conversion.runner();
  }

  /** Returns the folder in which the dataset is made. */
  private StoragePath folder() throws IOException {
    return conversion.destination().staging(conversion.source().source(), conversion.writesBelow());
  }

  /** Returns the plan of the conversion of what will be made; empty if it is not known yet. */
  private Optional<PlannedConversion> planned(boolean dryRun) throws IOException {
    Optional<OpenedSource> made = stage.planned(RunPaths.data(folder()));
    return made.isPresent()
        ? Optional.of(conversion.decisions(dryRun).on(made.get()))
        : Optional.empty();
  }

  /** Checks what is known before the dataset is made. */
  private @Nullable PlannedConversion check() throws IOException {
    stage.check();
    PlannedConversion planned = planned(true).orElse(null);
    if (planned == null && !conversion.writesBelow()) {
      conversion.destination().check();
    }
    return planned;
  }

  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
    PlannedConversion planned = check();
    RunPlan second = planned == null ? null : planned.plan();
    if (second != null && second.plan().equals(RunPlan.NOTHING)) {
      return List.of(second);
    }
    boolean resumed = claim().check().isPresent();
    StoragePath data = RunPaths.data(folder());
    WritePlan files = planned == null ? null : planned.write().plan();
    Long bytes = stage.temporaryBytes(files, data, resumed);
    checkSpace(bytes, second);
    JobPlan first = stage.plan(files, data, resumed);
    TemporaryBytes temporary = TemporaryBytes.of(folder(), bytes);
    if (second != null) {
      return List.of(second.after(first, temporary));
    }
    String path = conversion.writesBelow() ? null : conversion.target().shown();
    return List.of(
        RunPlan.of(RunPlan.STAGED)
            .reading(first)
            .temporary(temporary)
            .writing(path, null, null)
            .build());
  }

  private void checkSpace(@Nullable Long temporary, @Nullable RunPlan second) throws IOException {
    if (temporary != null && second != null) {
      SpaceCheck.of(conversion.settings(), conversion.target(), runner())
          .check(temporary, second.bytesWritten());
    }
  }

  @Override
  public Conversion.Result run() throws IOException, InterruptedException {
    PlannedConversion planned = check();
    RunPlan second = planned == null ? null : planned.plan();
    if (planned != null && planned.isThere()) {
      Conversion.Result written = planned(false).orElseThrow().run(stage::compare);
      removeStaging();
      return written;
    }
    WritePlan files = planned == null ? null : planned.write().plan();
    try (RunFolder staging = claim().run()) {
      ListedSource read = ListedSource.of(conversion.source().source());
      try {
        checkSpace(stage.temporaryBytes(files, staging.data(), true), second);
        Conversion.Result written = convertRepaired(files, read, staging);
        staging.markPublished();
        return written;
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
    return conversion
        .destination()
        .claimStaging(conversion.source().source(), stage.recorded(), conversion.writesBelow());
  }

  /** Makes the dataset and converts it, again if what was made is found to be damaged. */
  private Conversion.Result convertRepaired(
      @Nullable WritePlan files, ListedSource read, RunFolder staging)
      throws IOException, InterruptedException {
    StagedRepairs repairs = new StagedRepairs(staging.data(), runner());
    repairs.begin();
    Settings resumed = conversion.settings();
    while (true) {
      PlannedConversion planned = null;
      try (OpenedSource source = stage.make(files, staging)) {
        planned = conversion.decisions(resumed, false).on(source);
        return planned.run(stage::compare);
      } catch (IOException | RuntimeException e) {
        if (!repairs.isRepairable(e)) {
          throw e;
        }
        read.check();
        if (planned != null && planned.isBegun()) {
          resumed = conversion.settings().with(ConversionKeys.RESUME, true);
        }
      }
    }
  }

  /** Removes what a run has left that was killed after it had published the dataset. */
  private void removeStaging() throws IOException {
    if (folder().kind() != StoragePath.Kind.MISSING) {
      try (RunFolder staging = claim().run()) {
        staging.markPublished();
      }
    }
  }
}
