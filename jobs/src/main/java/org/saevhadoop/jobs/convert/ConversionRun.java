package org.saevhadoop.jobs.convert;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.UnfinishedMarker;
import org.saevhadoop.jobs.check.ConversionCheck;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.DigestJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LostMasters;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/**
 * Writes, verifies and publishes a dataset in the folder of a run, or completes a dataset that an
 * interrupted run has begun.
 */
record ConversionRun(
    ConversionSpec spec,
    OpenedSource source,
    DatasetFormat to,
    DatasetWrite write,
    Io.Supplier<DatasetWrite> writes,
    RunFolder folder,
    Settings settings,
    boolean digest,
    SourceCheck check,
    JobRunner runner) {
  private StoragePath destination() {
    return folder.path().parse(folder.record().destination());
  }

  private RunStorage storage() {
    return runner.storage(folder.path());
  }

  /** Runs the conversion and returns the digest; null if no digest is requested. */
  @Nullable DatasetDigest run() throws IOException, InterruptedException {
    try {
      DatasetDigest found = null;
      if (folder.isPublished()) {
        runner.warning("the interrupted run had published the dataset");
        publish(); // the run may not have forced it to the disk
      } else {
        found = writeAndPublish();
      }
      folder.markPublished();
      return digest && found == null ? digestOf(destination()) : found;
    } catch (IOException | RuntimeException e) {
      RunFailure.record(folder, e);
      if (folder.isKept()) {
        announce(committed());
      }
      throw e;
    }
  }

  private @Nullable DatasetDigest writeAndPublish() throws IOException, InterruptedException {
    boolean jobEnded = false;
    if (!isComplete()) {
      folder.begin();
      SpaceCheck.of(settings, destination(), runner).check(write.plan(), committed());
      reportSizes();
      reportProgress();
      jobEnded = submitUntilComplete();
    } else {
      checkCompleted();
      runner.warning("the interrupted run had completed the dataset, which is published now");
    }
    DatasetDigest found = readUnpublished();
    if (spec.output().isDeferred() || !jobEnded) { // otherwise the commit of the job published it
      publish();
    }
    return found;
  }

  /**
   * Verifies the dataset and computes its digest, if requested, before it is published. Some
   * datasets have no digest.
   */
  private @Nullable DatasetDigest readUnpublished() throws IOException, InterruptedException {
    String path = destination().shown();
    boolean direct = folder.record().isDirect();
    if (direct) {
      runner.conf().set(UnfinishedMarker.READER, folder.record().id());
    }
    try {
      if (settings.get(ConversionKeys.VERIFY)) {
        new ConversionCheck(spec, source, to, write, writes, folder.data(), destination(), runner)
            .run();
        check.run(source, SourceRequest.written(folder.data(), to), path);
      }
      return digest ? digestBefore(path) : null;
    } finally {
      if (direct) {
        runner.conf().unset(UnfinishedMarker.READER);
      }
    }
  }

  private DatasetDigest digestBefore(String path) throws IOException, InterruptedException {
    try {
      return digestOf(folder.data());
    } catch (IOException e) {
      runner.warning(path + " is not published because its digest could not be computed");
      throw e;
    }
  }

  private DatasetDigest digestOf(StoragePath dataset) throws IOException, InterruptedException {
    return DigestJob.of(SourceRequest.written(dataset, to), runner);
  }

  private void publish() throws IOException {
    new DatasetPublication(
            folder.path(),
            folder.data(),
            destination(),
            spec.output().replace(),
            storage(),
            runner.formats())
        .run();
  }

  private boolean isComplete() throws IOException {
    return RunFolder.isComplete(folder.path(), storage());
  }

  /**
   * Runs jobs that write the missing files; several jobs are run if the cluster loses application
   * masters.
   *
   * @return whether the last job succeeded; a lost job may also have completed the dataset
   */
  private boolean submitUntilComplete() throws IOException, InterruptedException {
    return new LostMasters(runner.listener())
        .repeat(
            () -> {
              if (isComplete()) {
                return false;
              }
              folder.clear();
              new ConvertJob(
                      spec,
                      source,
                      to,
                      write.plan(),
                      committed(),
                      folder.path(),
                      folder.record().id(),
                      destination(),
                      writes,
                      settings,
                      runner)
                  .run(folder);
              return true;
            },
            () -> committed().files(),
            "files");
  }

  private void checkCompleted() throws IOException {
    CommittedFiles found = committed();
    FileError.DAMAGED.check(
        found.missing().isEmpty(),
        folder.data().shown(),
        "has only %d of the %d data files that were complete (expected all; a run without --resume"
            + " writes the dataset again)",
        found.files(),
        write.plan().shardCount());
  }

  private void reportSizes() throws IOException {
    boolean sparse = folder.data().isLocal();
    ExpectedSizes.of(source, write.plan(), sparse, to)
        .lines()
        .forEach(line -> runner.listener().message("convert: " + line));
  }

  private void reportProgress() throws IOException {
    if (folder.resumed().isPresent()) {
      runner.warning(
          Quote.sentence(
              "continues the run of %s: %d of %d files are complete",
              folder.resumed().get().started(), committed().files(), write.plan().shardCount()));
    } else if (settings.get(ConversionKeys.RESUME)) {
      runner.warning("no interrupted run was found, so the conversion starts from the beginning");
    }
  }

  private CommittedFiles committed() throws IOException {
    if (folder.record().isDirect() && !isComplete()) {
      return CommittedFiles.none(write.plan()); // files may be there without their companions
    }
    return folder.data().kind() == StoragePath.Kind.FOLDER
        ? CommittedFiles.in(folder.data().folder(), write.plan())
        : CommittedFiles.none(write.plan());
  }

  private void announce(CommittedFiles committed) {
    runner.warning(
        Quote.sentence(
            "%d of %d files are complete in %s: the same command with --resume %s",
            committed.files(),
            write.plan().shardCount(),
            folder.data(),
            committed.missing().isEmpty() ? "publishes them" : "writes the others"));
  }
}
