package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetSurvey;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.plan.RunPlan;
import org.saevhadoop.jobs.plan.RunPlan.TemporaryBytes;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.server.Servers;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.publish.run.RunFolder;
import org.saevhadoop.mapreduce.publish.run.RunPaths;

/**
 * A conversion, from its request to the published dataset. Invalid requests are rejected before the
 * job is submitted, and the job gets an immutable {@link ConversionSpec}.
 */
public final class DatasetConversion {
  private final SourceRequest asked;
  private final DatasetFormat to;
  private final Path target;
  private final Settings settings;
  private final boolean digest;
  private final JobRunner runner;
  private final Configuration conf;

  /**
   * Creates a conversion, after the servers of what the user named have answered.
   *
   * @param settings the writing keys of the format and the keys of any output
   * @param digest whether the digest of what was written is requested
   */
  DatasetConversion(
      SourceRequest asked,
      DatasetFormat to,
      String destination,
      Settings settings,
      boolean digest,
      JobRunner runner)
      throws IOException {
    this.asked = asked;
    this.runner = runner;
    this.conf = runner.conf();
    this.to = to;
    ConfSettings.set(conf, OutputKeys.SYNC, settings.get(OutputKeys.SYNC)); // for RunStorage
    reach(destination, settings);
    this.target = PathArgument.parse(destination, conf);
    this.settings = settings;
    this.digest = digest;
  }

  /** Waits for the servers of the destination and of other datasets that the user named. */
  private void reach(String destination, Settings named) throws IOException {
    Servers servers = runner.servers();
    servers.awaitServer(PathArgument.unqualified(destination, conf));
    for (SettingKey<String> key : DatasetDestination.OTHERS) {
      if (named.isSet(key)) {
        servers.awaitServer(PathArgument.unqualified(named.get(key), conf));
      }
    }
  }

  public SourceRequest source() {
    return asked;
  }

  public Conversion.Result run() throws IOException, InterruptedException {
    SourceRequest request = surveyed();
    if (!OpenedSource.isStream(request)) {
      try (OpenedSource source = OpenedSource.open(request, runner)) {
        return decisions(false).on(source).run();
      }
    }
    checkBeforeStaging(request);
    return convertStaged(
        request, stagingSettings(request), staging -> stage(request, staging), this::compare);
  }

  private OpenedSource stage(SourceRequest request, RunFolder staging)
      throws IOException, InterruptedException {
    OpenedSource staged = OpenedSource.stage(request, isStagedWhole(request), staging, runner);
    if (settings.get(ConversionKeys.VERIFY)) {
      staged.compareStaged(staged(request), staging);
    }
    return staged;
  }

  /** Compares the blocks that were written with those of a dataset that was staged. */
  private void compare(OpenedSource staged, SourceRequest written, String path)
      throws IOException, InterruptedException {
    try (OpenedSource found = SummedRows.open(written, runner)) {
      if (found != null) {
        Geometry geometry = found.dataset().requireActivations().geometry();
        List<Integer> layers = geometry.layers();
        SummedRows.blocks(staged, layers, geometry.dtype())
            .check(SummedRows.blocks(found, layers, geometry.dtype()), path, runner);
      }
    }
  }

  /** Makes a dataset in the folder of a run. */
  @FunctionalInterface
  private interface Staging {
    OpenedSource stage(RunFolder folder) throws IOException, InterruptedException;
  }

  private Conversion.Result convertStaged(
      SourceRequest request, Configuration recorded, Staging stage, SourceCheck check)
      throws IOException, InterruptedException {
    boolean below = to.requireWriting().writesBelow();
    try (RunFolder staging =
        destination(request, target).claimStaging(request.path(), recorded, below)) {
      try {
        Conversion.Result written = convertRepaired(staging, stage, check);
        staging.markPublished();
        return written;
      } catch (IOException | InterruptedException | RuntimeException e) {
        ConversionRun.recordFailure(staging, e);
        if (staging.isKept()) {
          runner.warning(
              "staged blocks stay in %s: the same command with --resume uses them"
                  .formatted(staging.path()));
        }
        throw e;
      }
    }
  }

  /** Stages and converts, again if what was staged is found to be damaged. */
  private Conversion.Result convertRepaired(RunFolder staging, Staging stage, SourceCheck check)
      throws IOException, InterruptedException {
    StagedRepairs repairs = new StagedRepairs(staging.data(), runner);
    repairs.begin();
    Settings resumed = settings;
    while (true) {
      PlannedConversion planned = null;
      try (OpenedSource source = stage.stage(staging)) {
        planned = decisions(resumed, false).on(source);
        return planned.run(check);
      } catch (IOException | RuntimeException e) {
        if (!repairs.isRepairable(e)) {
          throw e;
        }
        if (planned != null && planned.isBegun()) {
          resumed = settings.with(ConversionKeys.RESUME, true);
        }
      }
    }
  }

  /** Converts a dataset that is made of the source. */
  public Conversion.Result run(DerivedSource derived) throws IOException, InterruptedException {
    PlannedConversion planned = planned(derived);
    RunPlan second = planned.plan();
    if (planned.isThere()) {
      Conversion.Result written = decisions(false).on(described(derived)).run(derived::compare);
      removeStaging(derived);
      return written;
    }
    WritePlan files = planned.write().plan();
    return convertStaged(
        asked,
        derived.settings(),
        staging -> {
          checkSpace(derived.temporaryBytes(files, staging.data(), true), second);
          return derived.make(files, staging);
        },
        derived::compare);
  }

  private void checkSpace(long temporary, RunPlan second) throws IOException {
    SpaceCheck.of(settings, target, runner).check(temporary, second.bytesWritten());
  }

  private PlannedConversion planned(DerivedSource derived) throws IOException {
    checkTarget();
    return decisions(true).on(described(derived));
  }

  /** Checks the path before anything is read. */
  private void checkTarget() throws IOException {
    boolean below = to.requireWriting().writesBelow();
    DatasetDestination destination =
        destination(asked, below ? PathArgument.child(target, "dataset") : target);
    destination.checkPath();
    if (below) {
      destination.checkFolder(target, FormatEvidence.STRONG); // but arrays may be in it
    }
    destination.checkAbove();
  }

  /**
   * Checks that several datasets can be written below the path.
   *
   * @throws IOException if it is the path of a dataset
   */
  public void checkFolder() throws IOException {
    asked.checkOutputFolder(target, conf);
    destination(asked, target).checkFolder(target, FormatEvidence.WEAK);
  }

  /** Removes what a run has left that was killed after it had published the dataset. */
  private void removeStaging(DerivedSource derived) throws IOException {
    Path folder = stagingFolder(asked);
    if (folder.getFileSystem(conf).exists(folder)) {
      boolean below = to.requireWriting().writesBelow();
      try (RunFolder staging =
          destination(asked, target).claimStaging(asked.path(), derived.settings(), below)) {
        staging.markPublished();
      }
    }
  }

  private OpenedSource described(DerivedSource derived) throws IOException {
    return derived.planned(RunPaths.data(stagingFolder(asked)));
  }

  private Path stagingFolder(SourceRequest request) throws IOException {
    return destination(request, target).staging(request.path(), to.requireWriting().writesBelow());
  }

  /**
   * Returns what {@link #run(DerivedSource)} would do.
   *
   * @throws IOException if it would fail before its first job
   */
  public RunPlan plan(DerivedSource derived) throws IOException, InterruptedException {
    PlannedConversion planned = planned(derived);
    RunPlan second = planned.plan();
    if (second.plan().equals(RunPlan.NOTHING)) {
      return second;
    }
    boolean below = to.requireWriting().writesBelow();
    boolean resumed =
        destination(asked, target)
            .checkStaging(asked.path(), derived.settings(), below)
            .isPresent();
    Path folder = stagingFolder(asked);
    WritePlan files = planned.write().plan();
    long temporary = derived.temporaryBytes(files, RunPaths.data(folder), resumed);
    checkSpace(temporary, second);
    JobPlan first = derived.plan(files, RunPaths.data(folder), resumed);
    return second.after(first, TemporaryBytes.of(folder, temporary, conf));
  }

  /**
   * Returns what {@link #run} would do, after its checks. Of a stream, only the staging is planned.
   *
   * @throws IOException if the conversion would fail before its first job
   */
  public RunPlan plan() throws IOException, InterruptedException {
    SourceRequest request = surveyed();
    if (!OpenedSource.isStream(request)) {
      try (OpenedSource source = OpenedSource.open(request, runner)) {
        return decisions(true).on(source).plan();
      }
    }
    checkBeforeStaging(request);
    boolean below = to.requireWriting().writesBelow();
    boolean resumed =
        destination(request, target)
            .checkStaging(request.path(), stagingSettings(request), below)
            .isPresent();
    Path folder = stagingFolder(request);
    ProjectionRequest staged = staged(request);
    JobPlan job = OpenedSource.planStaging(request, staged, RunPaths.data(folder), resumed, runner);
    return new RunPlan(
        RunPlan.STAGED,
        below ? null : HadoopStorage.show(target, conf),
        job.maps(),
        null,
        job.bytes(),
        null,
        List.of(TemporaryBytes.of(folder, null, conf)),
        List.of(),
        List.of());
  }

  /** Returns the request with what a survey of its files finds, after a check of the path. */
  private SourceRequest surveyed() throws IOException {
    SourceRequest request = asked;
    Optional<DatasetSurvey> survey = asked.format().survey();
    if (survey.isPresent()) {
      DatasetSurvey.Scan scan = survey.get().scan();
      request =
          asked.withFormat(scan.run(asked.location(), asked.spec().format(), runner::warning));
    }
    checkTarget();
    return request;
  }

  /** A record of what was selected contains the digest of the whole dataset. */
  private boolean isStagedWhole(SourceRequest request) {
    return to.requireWriting().recordsSelections() && !request.spec().projection().isEverything();
  }

  private ProjectionRequest staged(SourceRequest request) {
    return isStagedWhole(request) ? ProjectionRequest.EVERYTHING : request.spec().projection();
  }

  private Configuration stagingSettings(SourceRequest request) {
    Configuration settings = new Configuration(false);
    request.spec().with(staged(request)).toConf(settings);
    return settings;
  }

  /**
   * Checks what is known before a stream is staged, so that a conversion that must fail does so
   * early.
   */
  private void checkBeforeStaging(SourceRequest request) throws IOException {
    DatasetFormat format = request.format();
    StreamAccess stream = format.stream().orElseThrow();
    ModelName model =
        runner.formats().model(stream.provenance(request.location())).or(format.assumedModel());
    to.requireWriting()
        .checkBefore(
            HadoopStorage.show(request.path(), conf),
            model,
            settings.only(to.requireWriting().writingKeys()));
    if (!to.requireWriting().writesBelow()) {
      destination(request, target).check();
    }
  }

  private DatasetDestination destination(SourceRequest request, Path published) throws IOException {
    return DatasetDestination.of(request, published, settings, runner);
  }

  private ConversionDecisions decisions(boolean dryRun) {
    return decisions(settings, dryRun);
  }

  private ConversionDecisions decisions(Settings chosen, boolean dryRun) {
    ConversionNotes notes = new ConversionNotes(dryRun ? line -> {} : runner::warning);
    return new ConversionDecisions(to, target, chosen, digest, dryRun, notes, runner);
  }
}
