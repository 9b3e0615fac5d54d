package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.DigestJob;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/**
 * A conversion of an open source for which everything is decided, but nothing is written yet.
 *
 * @param writes returns the output, a separate object for each task
 * @param destination the path at which the dataset is published
 * @param recorded the settings that define the result, as recorded by a run
 * @param isThere whether an interrupted run has already published the dataset
 * @param notes the losses and changes of the conversion
 * @param digest whether the digest of the result is requested
 */
record PlannedConversion(
    ConversionSpec spec,
    OpenedSource source,
    DatasetFormat to,
    DatasetWrite write,
    Io.Supplier<DatasetWrite> writes,
    DatasetDestination destination,
    Settings recorded,
    boolean isThere,
    ConversionNotes notes,
    Settings settings,
    boolean digest,
    JobRunner runner) {
  /** The placeholder run id in a plan that continues no run. */
  private static final String UNCLAIMED = "unclaimed";

  private StoragePath published() {
    return destination.published();
  }

  /** Claims the destination and converts. */
  Conversion.Result run() throws IOException, InterruptedException {
    return run(SourceCheck.NONE);
  }

  /**
   * Claims the destination and converts.
   *
   * @param check the additional check of the result if {@code --verify} is set
   */
  Conversion.Result run(SourceCheck check) throws IOException, InterruptedException {
    try (RunFolder run = destination.claim(recorded, isThere).run()) {
      DatasetDigest found;
      if (isThere && !run.isPublished()) {
        runner.warning("the dataset was published before and stays as it is");
        run.markPublished();
        SourceRequest written = SourceRequest.written(published(), to);
        found = digest ? DigestJob.of(written, runner) : null;
      } else {
        found =
            new ConversionRun(spec, source, to, write, writes, run, settings, digest, check, runner)
                .run();
        warnOfChanges(run.record());
      }
      return new Conversion.Result(
          published().shown(), spec.output().geometry(), write.plan(), found);
    }
  }

  /** Warns if sources have changed, because the dataset may mix old and new values. */
  private void warnOfChanges(RunRecord run) throws IOException {
    if (!destination.isUnchanged(run)) {
      runner.warning(
          "files of %s changed while they were read: %s may have values from before and after"
                  .formatted(run.source(), published().shown())
              + " (diff compares them)");
    }
  }

  /** Returns whether a run has left a folder that a later run can continue. */
  boolean isBegun() throws IOException {
    StoragePath folder = RunPaths.of(published());
    return destination.storage().kind(folder) != EntryKind.ABSENT;
  }

  /**
   * Returns the plan of {@link #run}.
   *
   * @throws IOException if the conversion would fail before its job
   */
  RunPlan plan() throws IOException, InterruptedException {
    String path = notes.isNamed() ? published().shown() : null;
    Optional<RunRecord> resumed = destination.claim(recorded, isThere).check();
    StoragePath folder = RunPaths.of(published());
    if (isThere || resumed.isPresent() && RunFolder.isComplete(folder, destination.storage())) {
      return RunPlanBuilder.of(RunPlan.NOTHING)
          .writing(path, 0L, 0L)
          .losing(notes.losses())
          .changing(notes.changes())
          .build();
    }
    CommittedFiles committed = resumed.isPresent() ? committed(folder) : none();
    SpaceCheck.of(settings, published(), runner).check(write.plan(), committed);
    String run = resumed.map(RunRecord::id).orElse(UNCLAIMED);
    JobPlan job =
        runner.plan(
            new ConvertJob(
                    spec,
                    source,
                    to,
                    write.plan(),
                    committed,
                    folder,
                    run,
                    published(),
                    writes,
                    settings,
                    runner)
                .job(null));
    noteValues();
    Long bytes = bytes(write.plan());
    Long left = bytes == null ? null : bytes - committed.bytes();
    RunPlanBuilder plan =
        RunPlanBuilder.of(job.reduces() > 0 ? RunPlan.SHUFFLE : RunPlan.MAP_ONLY)
            .reading(job)
            .writing(path, write.plan().shardCount() - committed.files(), left)
            .temporary(RunPlanBuilder.temporary(folder, left))
            .removing(destination.removed());
    if (job.reduces() > 0 && runner.isLocal()) { // the shuffle in this process
      plan.temporary(RunPlanBuilder.temporary(runner.checkScratch(), job.bytes()));
    }
    return plan.losing(notes.losses()).changing(notes.changes()).build();
  }

  private CommittedFiles none() {
    return CommittedFiles.none(write.plan());
  }

  private CommittedFiles committed(StoragePath folder) throws IOException {
    StoragePath data = RunPaths.data(folder);
    return data.kind() == StoragePath.Kind.FOLDER
        ? CommittedFiles.in(data.folder(), write.plan())
        : none();
  }

  private void noteValues() throws IOException {
    notes.addValues(
        source.dataset().table(), source.dataset().storageOrder().byLayer(), write.plan());
    boolean sparse = published().isLocal();
    notes.addLines(SourceNormalization.changes(source));
    notes.addLines(ExpectedSizes.of(source, write.plan(), sparse, to).lines());
  }

  /** Returns the total length in bytes of the data files; null if it depends on compression. */
  private static @Nullable Long bytes(WritePlan plan) {
    long bytes = 0;
    for (long i = 0; i < plan.shardCount(); i++) {
      long expected = plan.expectedBytes(i);
      if (expected == ShardPlan.UNKNOWN) {
        return null;
      }
      bytes += expected;
    }
    return bytes;
  }
}
