package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.publish.CompleteMark;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.publish.run.SourceState;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.DatasetDestination;
import org.saevhadoop.jobs.convert.PlannedClaim;
import org.saevhadoop.jobs.convert.RunFailure;
import org.saevhadoop.jobs.convert.SpaceCheck;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlanBuilder;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LostMasters;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * Copies the files of a merge to the folder of a run, or only the files that an interrupted run has
 * not copied, writes the documents, and publishes the dataset.
 *
 * @param states the state of each source before it was opened
 */
record MergeRun(
    CopyJob job,
    MergePlan plan,
    CopiedFiles files,
    List<String> states,
    DatasetDestination destination,
    Settings settings,
    JobRunner runner) {
  private StoragePath published() {
    return destination.published();
  }

  private RunStorage storage() {
    return destination.storage();
  }

  private PlannedClaim claim() throws IOException {
    return destination.claim(Settings.NONE.with(MergeKeys.PLAN, files.hash()), false);
  }

  private void checkSpace(CopiedFiles missing) throws IOException {
    SpaceCheck.of(settings, published(), runner).check(0, missing.length());
  }

  /** Returns the files that are missing from the data folder. */
  private CopiedFiles missing(StoragePath data) throws IOException {
    return data.kind() == StoragePath.Kind.FOLDER
        ? files.missing(data.folder().files())
        : files.missing(new TreeMap<>());
  }

  RunPlanBuilder describe() throws IOException, InterruptedException {
    Optional<RunRecord> resumed = claim().check();
    StoragePath folder = RunPaths.of(published());
    if (resumed.isPresent() && RunFolder.isComplete(folder, storage())) {
      return RunPlanBuilder.of(RunPlan.NOTHING).writing(published().shown(), 0L, 0L);
    }
    StoragePath data = RunPaths.data(folder);
    CopiedFiles missing = resumed.isPresent() ? missing(data) : files;
    checkSpace(missing);
    return RunPlanBuilder.of(RunPlan.COPY)
        .reading(runner.plan(job.copy(missing, data, null)))
        .writing(published().shown(), (long) missing.list().size(), missing.length())
        .temporary(RunPlanBuilder.temporary(folder, missing.length()))
        .removing(destination.removed());
  }

  /** Claims the destination and copies the files. */
  void run() throws IOException, InterruptedException {
    try (RunFolder run = claim().run()) {
      try {
        if (run.isPublished()) {
          runner.warning("the interrupted run had published the dataset");
        } else {
          complete(run);
          verify(run);
        }
        publish(run);
        run.markPublished();
      } catch (IOException | RuntimeException e) {
        RunFailure.record(run, e);
        if (run.isKept()) {
          runner.warning(
              Quote.sentence(
                  "%d of %d files are complete in %s: the same command with --resume copies the others",
                  files.list().size() - missing(run.data()).list().size(),
                  files.list().size(),
                  run.data()));
        }
        throw e;
      }
    }
  }

  private void complete(RunFolder run) throws IOException, InterruptedException {
    if (RunFolder.isComplete(run.path(), storage())) {
      runner.warning("the interrupted run had completed the dataset, which is published now");
      return;
    }
    run.begin();
    storage().createFolder(run.data());
    checkSpace(missing(run.data()));
    reportProgress(run);
    new LostMasters(runner.listener())
        .repeat(
            () -> {
              CopiedFiles missing = missing(run.data());
              return missing.list().isEmpty()
                  ? Optional.empty()
                  : Optional.of(runner.run(job.copy(missing, run.data(), run)));
            },
            () -> files.list().size() - missing(run.data()).list().size(),
            "files");
    checkSources();
    writeDocuments(run);
  }

  /**
   * Checks that no source has changed since it was opened: otherwise, copies might mix two
   * datasets.
   */
  private void checkSources() throws IOException {
    List<StoragePath> sources = job.sources().stream().map(SourceRequest::source).toList();
    List<String> found = SourceState.ofEach(sources);
    for (int i = 0; i < states.size(); i++) {
      CombinationError.CHANGED.check(
          found.get(i).equals(states.get(i)),
          sources.get(i).shown(),
          "has changed while it was being merged (expected the same files: merge it again, without"
              + " --resume)");
    }
  }

  private void reportProgress(RunFolder run) throws IOException {
    CopiedFiles missing = missing(run.data());
    if (run.resumed().isPresent()) {
      runner.warning(
          Quote.sentence(
              "continues the run of %s: %d of %d files are complete",
              run.resumed().get().started(),
              files.list().size() - missing.list().size(),
              files.list().size()));
    } else if (settings.get(ConversionKeys.RESUME)) {
      runner.warning("no interrupted run was found, so the merge starts from the beginning");
    }
    runner
        .listener()
        .message(
            Quote.sentence(
                "merge: %d files to copy, %s",
                missing.list().size(), ByteSizes.show(missing.length())));
  }

  /** Writes the documents, each under another name first, and marks the dataset as complete. */
  private void writeDocuments(RunFolder run) throws IOException {
    StoragePath data = run.data();
    boolean forced = runner.shared(OutputKeys.SYNC).forces(data.isLocal());
    Folder folder = data.folder(forced, false);
    for (Document document : plan.finisher().documents(folder)) {
      StoragePath unfinished = data.child("_" + document.name());
      storage().delete(unfinished);
      try (Output out = folder.create(unfinished.name())) {
        document.content().accept(out);
      }
      folder.awaitForced();
      storage().replace(unfinished, data.child(document.name()));
    }
    CompleteMark.write(run.path(), data, plan.finisher().workFiles(), storage());
  }

  private void verify(RunFolder run) throws IOException, InterruptedException {
    if (settings.get(ConversionKeys.VERIFY)) {
      runner.run(job.compare(files, run.data()));
    }
  }

  private void publish(RunFolder run) throws IOException {
    new DatasetPublication(run.path(), run.data(), published(), false, storage(), runner.formats())
        .run();
  }
}
