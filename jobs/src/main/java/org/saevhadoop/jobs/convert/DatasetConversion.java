package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.publish.SourceOverlap;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * A conversion, from its request to the published dataset. Invalid requests are rejected before the
 * job is submitted, and the job gets an immutable {@link ConversionSpec}.
 *
 * @param target the path that the user named
 * @param settings the writing keys of the format and the keys that apply to any output
 * @param digest whether the digest of the result is requested
 */
public record DatasetConversion(
    SourceRequest source,
    DatasetFormat to,
    StoragePath target,
    Settings settings,
    boolean digest,
    JobRunner runner)
    implements Prepared<Conversion.Result> {
  /** Creates a conversion, after the servers of all named paths have answered. */
  static DatasetConversion of(
      SourceRequest source,
      DatasetFormat to,
      String destination,
      Settings settings,
      boolean digest,
      JobRunner runner)
      throws IOException {
    runner.share(Settings.NONE.with(OutputKeys.SYNC, settings.get(OutputKeys.SYNC)));
    for (SettingKey<String> key : DatasetDestination.OTHERS) {
      if (settings.isSet(key)) {
        runner.path(settings.get(key));
      }
    }
    return new DatasetConversion(source, to, runner.path(destination), settings, digest, runner);
  }

  @Override
  public Conversion.Result run() throws IOException, InterruptedException {
    DatasetConversion surveyed = surveyed();
    if (OpenedSource.isStream(surveyed.source)) {
      return surveyed.staged().run().get(0);
    }
    try (OpenedSource opened = OpenedSource.open(surveyed.source, runner)) {
      return decisions(false).on(opened).run();
    }
  }

  /** {@inheritDoc} For a stream, only the staging is planned. */
  @Override
  public List<RunPlan> describe() throws IOException, InterruptedException {
    DatasetConversion surveyed = surveyed();
    if (OpenedSource.isStream(surveyed.source)) {
      return surveyed.staged().describe();
    }
    try (OpenedSource opened = OpenedSource.open(surveyed.source, runner)) {
      return List.of(decisions(true).on(opened).plan());
    }
  }

  private StagedConversion staged() {
    return new StagedConversion(List.of(this), new StreamStage(source, to, settings, runner));
  }

  /** Checks the path before anything is read. */
  void checkTarget() throws IOException {
    DatasetDestination destination = destination(writesBelow() ? target.child("dataset") : target);
    destination.checkPath();
    if (settings.isSet(ConversionKeys.NORMALIZE)) {
      SourceOverlap.check(
          runner.path(settings.get(ConversionKeys.NORMALIZE)), destination.published());
    }
    if (writesBelow()) {
      destination.checkFolder(target, FormatEvidence.STRONG); // the folder may contain arrays
    }
    destination.checkAbove();
  }

  /**
   * Checks that several datasets can be written below the path.
   *
   * @throws IOException if the path denotes a dataset
   */
  public void checkFolder() throws IOException {
    source.checkOutputFolder(target);
    destination().checkFolder(target, FormatEvidence.WEAK);
  }

  /** Checks the path, and returns this conversion with a survey of the source. */
  private DatasetConversion surveyed() throws IOException {
    DatasetConversion surveyed = with(source.surveyed(runner));
    checkTarget();
    return surveyed;
  }

  private DatasetConversion with(SourceRequest found) {
    return new DatasetConversion(found, to, target, settings, digest, runner);
  }

  /** Returns whether the dataset is written in a folder below the path. */
  public boolean writesBelow() {
    return to.requireWriting().writesBelow();
  }

  /** Returns the path that the user named for a dataset. */
  DatasetDestination destination() throws IOException {
    return destination(target);
  }

  private DatasetDestination destination(StoragePath published) throws IOException {
    return DatasetDestination.of(source, published, settings, runner);
  }

  ConversionDecisions decisions(boolean dryRun) {
    return decisions(settings, dryRun);
  }

  ConversionDecisions decisions(Settings chosen, boolean dryRun) {
    ConversionNotes notes = new ConversionNotes(dryRun ? line -> {} : runner::warning);
    return new ConversionDecisions(to, target, chosen, digest, dryRun, notes, runner);
  }
}
