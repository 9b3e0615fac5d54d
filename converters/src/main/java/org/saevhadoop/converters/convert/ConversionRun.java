package org.saevhadoop.converters.convert;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.digest.DigestLine;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.job.LostMasters;
import org.saevhadoop.converters.source.OpenedSource;
import org.saevhadoop.converters.source.SourceRequest;
import org.saevhadoop.converters.verify.ConversionVerification;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.ExternalException;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.UnfinishedMarker;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.output.CommittedFiles;
import org.saevhadoop.mapreduce.publish.DatasetPublication;
import org.saevhadoop.mapreduce.publish.RunFolder;

/**
 * Writes, verifies and publishes a dataset in the folder of a run, or what is missing of one that a
 * dead run has begun.
 */
record ConversionRun(
    ConversionSpec spec,
    OpenedSource source,
    DatasetFormats.Entry to,
    DatasetWrite write,
    RunFolder folder,
    Settings settings,
    boolean digest,
    Console console) {
  private Configuration conf() {
    return console.conf();
  }

  /** Runs the conversion and returns the line of the digest; null if that is not requested. */
  String run() throws IOException, InterruptedException, ClassNotFoundException {
    try {
      String line = null;
      if (folder.isPublished()) {
        console.warn("the interrupted run had published the dataset");
        publish(); // it may not have forced it to the disk
      } else {
        line = writeAndPublish();
      }
      folder.recordOver();
      return digest && line == null ? digestOf(new Path(folder.record().destination())) : line;
    } catch (IOException | RuntimeException e) {
      recordFailure(folder, e);
      if (folder.isKept()) {
        announce(committed());
      }
      throw e;
    }
  }

  private String writeAndPublish()
      throws IOException, InterruptedException, ClassNotFoundException {
    boolean jobEnded = false;
    if (!isComplete()) {
      folder.begin();
      checkSpace();
      sayWhatIsDone();
      jobEnded = submitUntilComplete();
    } else {
      checkCompleted();
      console.warn("the interrupted run had completed the dataset, which is published now");
    }
    boolean deferred = spec.output().isDeferred();
    if (settings.get(ConversionKeys.VERIFY)) {
      ConversionVerification.verify(spec, source, to, write, folder.data(), console);
    }
    String line = digest ? digestBefore() : null;
    if (deferred || !jobEnded) { // otherwise the commit of the job has published it
      publish();
    }
    return line;
  }

  /** Computes the digest before publication, as some datasets have none. */
  private String digestBefore() throws IOException, InterruptedException, ClassNotFoundException {
    conf().set(UnfinishedMarker.READER, folder.record().id());
    try {
      return digestOf(folder.data());
    } catch (IOException e) {
      console.warn(
          "%s is not published, as its digest could not be computed"
              .formatted(HadoopStorage.show(new Path(folder.record().destination()))));
      throw e;
    } finally {
      conf().unset(UnfinishedMarker.READER);
    }
  }

  private String digestOf(Path dataset)
      throws IOException, InterruptedException, ClassNotFoundException {
    return DigestLine.of(SourceRequest.written(dataset, to, conf()), console);
  }

  private void publish() throws IOException {
    DatasetPublication.of(spec.output(), folder.path(), DatasetFormats.registry(), conf())
        .run(conf());
  }

  private boolean isComplete() throws IOException {
    return RunFolder.isComplete(folder.path(), conf());
  }

  /**
   * Runs jobs over the files that are missing, several if the cluster loses application masters.
   *
   * @return whether the last job ended with success; a lost one may have completed the dataset too
   */
  private boolean submitUntilComplete()
      throws IOException, InterruptedException, ClassNotFoundException {
    LostMasters lost = new LostMasters(console);
    boolean ended = false;
    while (!isComplete()) {
      CommittedFiles before = committed();
      try {
        new ConvertJob(spec, source, to, write.plan(), before, folder, settings, console).run();
        ended = true;
      } catch (JobRun.Failed e) {
        lost.survive(e, committed().files() > before.files(), "files");
        folder.removeFiles();
      }
    }
    return ended;
  }

  private void checkCompleted() throws IOException {
    CommittedFiles found = committed();
    FileError.DAMAGED.check(
        found.missing().isEmpty(),
        HadoopStorage.show(folder.data()),
        "has only %d of the %d data files that were complete (expected all; a run without --resume"
            + " writes the dataset again)",
        found.files(),
        write.plan().shardCount());
  }

  private void checkSpace() throws IOException {
    if (settings.get(ConversionKeys.SPACE_CHECK)) {
      Path published = new Path(folder.record().destination());
      boolean quota = settings.get(ConversionKeys.QUOTA_CHECK);
      SpaceCheck.run(published, write.plan(), committed(), quota, console::warn, conf());
    }
  }

  private void sayWhatIsDone() throws IOException {
    if (folder.resumed().isPresent()) {
      console.warn(
          "continues the run of %s: %d of %d files are complete"
              .formatted(
                  folder.resumed().get().started(),
                  committed().files(),
                  write.plan().shardCount()));
    } else if (settings.get(ConversionKeys.RESUME)) {
      console.warn("no interrupted run was found to be continued: all files are written");
    }
  }

  private CommittedFiles committed() throws IOException {
    Configuration conf = conf();
    if (folder.record().isDirect() && !isComplete()) {
      return CommittedFiles.none(write.plan()); // files may be there without their companions
    }
    return folder.data().getFileSystem(conf).exists(folder.data())
        ? CommittedFiles.in(HadoopFolder.of(folder.data(), conf), write.plan())
        : CommittedFiles.none(write.plan());
  }

  private void announce(CommittedFiles committed) {
    console.warn(
        "%d of %d files are complete in %s: the same command with --resume %s"
            .formatted(
                committed.files(),
                write.plan().shardCount(),
                folder.data(),
                committed.missing().isEmpty() ? "publishes them" : "writes the others"));
  }

  /**
   * Records that a run has failed. If the data is at fault, so that a repetition would fail in the
   * same way, nothing in the folder is of use.
   */
  static void recordFailure(RunFolder run, Exception failure) {
    if (isBadData(failure)) {
      run.recordOver();
    }
  }

  private static boolean isBadData(Throwable failure) {
    if (failure instanceof JobRun.Failed job && job.isBadData()) {
      return true;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException) {
        return !(cause instanceof ExternalException);
      }
    }
    return false;
  }
}
