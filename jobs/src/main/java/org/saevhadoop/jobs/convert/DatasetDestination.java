package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.publish.DestinationProbe;
import org.saevhadoop.format.publish.ReplaceableDataset;
import org.saevhadoop.format.publish.SourceOverlap;
import org.saevhadoop.format.publish.run.DirectOutput;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunClaim;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.publish.run.SourceState;
import org.saevhadoop.format.publish.run.SubmittedJob;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.plan.RunPlan.RemovedFiles;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.server.YarnApplications;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * The path at which a conversion publishes its dataset.
 *
 * @param sources the paths of the datasets that are converted
 * @param others the other datasets that are read together with the sources
 * @param replace whether an existing dataset at the path may be replaced
 * @param leftovers whether an interrupted run that wrote to the path is resumed
 * @param storage the storage of the path
 * @param runner the servers
 */
public record DatasetDestination(
    List<StoragePath> sources,
    List<StoragePath> others,
    StoragePath published,
    boolean replace,
    Leftovers leftovers,
    RunStorage storage,
    JobRunner runner) {
  /** The keys of the datasets that are read together with the source. */
  static final List<SettingKey<String>> OTHERS =
      List.of(OutputKeys.LABELS, OutputKeys.SAMPLE_METADATA, OutputKeys.IDS);

  /**
   * The number of folders above the path that must not be datasets: the folders of SAEV, and DST.
   */
  private static final int LEVELS_ABOVE = 3;

  /** The settings in which a run may differ from the run that it continues. */
  private static final List<SettingKey<?>> FREE =
      List.of(OutputKeys.REPLACE, OutputKeys.SYNC, OutputKeys.DEFERRED, OutputKeys.DIRECT);

  /**
   * Returns the destination of a conversion.
   *
   * @param settings the keys that apply to any output
   */
  static DatasetDestination of(
      SourceRequest source, StoragePath published, Settings settings, JobRunner runner)
      throws IOException {
    return of(source.sources(), published, settings, runner);
  }

  /**
   * Returns the destination of a dataset that combines several datasets.
   *
   * @param settings the keys that apply to any output
   */
  public static DatasetDestination of(
      List<StoragePath> sources, StoragePath published, Settings settings, JobRunner runner)
      throws IOException {
    List<StoragePath> others = new ArrayList<>();
    for (SettingKey<String> key : OTHERS) {
      if (settings.isSet(key)) {
        others.add(runner.path(settings.get(key)));
      }
    }
    Leftovers leftovers =
        new Leftovers(
            settings.get(ConversionKeys.RESUME),
            settings.get(ConversionKeys.TRUST_RUN_FOLDER),
            runner::warning,
            runner.listener()::stopped);
    boolean replace = settings.get(OutputKeys.REPLACE);
    return new DatasetDestination(
        sources, others, published, replace, leftovers, runner.storage(published), runner);
  }

  private List<StoragePath> read() {
    List<StoragePath> read = new ArrayList<>(others);
    read.addAll(sources);
    return read;
  }

  /**
   * Checks, as far as possible before the dataset is written, that it can be published at the path.
   *
   * @throws FormatException if the path is unusable, overlaps with a source, or contains something
   *     that must not be replaced
   */
  void check() throws IOException {
    checkPath();
    boolean resumed = leftovers.resume() && RunFolder.isComplete(RunPaths.of(published), storage);
    if (!resumed && !DirectOutput.isPossible(published, storage)) {
      checkFree(false);
    }
  }

  /**
   * Checks that the path contains nothing that must not be replaced.
   *
   * @param isClean whether an unfinished dataset at the path was removed
   */
  private void checkFree(boolean isClean) throws IOException {
    if (isClean || !DirectOutput.isUnfinished(published, storage)) {
      DatasetPublication.checkFree(published, replace, leftovers.resume(), storage);
    }
  }

  /**
   * Returns whether the dataset that a run is asked to continue is already at the path: either a
   * dataset whose format records the same identity and determines its path, or a dataset with the
   * same rows in the same random order.
   *
   * @param to the format that is written
   */
  boolean isPublished(DatasetFormat to, Provenance written) throws IOException {
    Optional<String> order = written.document(RowOrder.DOCUMENT);
    boolean isNamed = to.requireWriting().writesBelow();
    if (!leftovers.resume() || replace || !isNamed && order.isEmpty()) {
      return false;
    }
    try {
      Location location = published.locate();
      DatasetFormats formats = runner.formats();
      TableDataset found = to.open(location, Settings.NONE, formats);
      Provenance provenance = found.requireActivations().activations().provenance();
      if (!isNamed) {
        return provenance.document(RowOrder.DOCUMENT).equals(order)
            && provenance
                .document(Provenance.NORMALIZATION)
                .equals(written.document(Provenance.NORMALIZATION));
      }
      return formats.identity(provenance).isPresent()
          && formats.identity(provenance).equals(formats.identity(written));
    } catch (FormatException e) {
      return false; // no dataset that can be opened
    }
  }

  /**
   * Checks the path itself, regardless of whether it exists.
   *
   * @throws FormatException if the path is unusable or overlaps with a source
   */
  public void checkPath() throws IOException {
    DestinationProbe.checkText(published);
    DestinationProbe.checkNames(published, storage);
    for (StoragePath path : read()) {
      SourceOverlap.check(path, published);
    }
  }

  /**
   * Checks that the path is not inside a dataset with documents, because that dataset would then
   * contain files that do not belong to it.
   *
   * @throws FormatException if a folder above the path is a dataset
   */
  public void checkAbove() throws IOException {
    StoragePath folder = published.parent();
    for (int i = 0; i < LEVELS_ABOVE && folder != null; i++) {
      checkNone(folder, runner.formats()::documented);
      folder = folder.parent();
    }
  }

  /**
   * Checks that a folder below which datasets are written is not a dataset itself.
   *
   * @param least the minimum evidence that makes a folder a dataset
   * @throws FormatException if the folder is a dataset
   */
  void checkFolder(StoragePath folder, FormatEvidence least) throws IOException {
    checkNone(folder, location -> runner.formats().find(location, least));
  }

  private void checkNone(StoragePath path, Io.Function<Location, Optional<DatasetFormat>> find)
      throws IOException {
    Optional<DatasetFormat> found = Optional.empty();
    try {
      if (path.kind() == StoragePath.Kind.FOLDER) {
        found = find.apply(Location.of(path.folder()));
      }
    } catch (IOException e) {
      return; // a folder of another user, or the document of another program
    }
    FileError.OVERLAP.check(
        found.isEmpty(),
        path.shown(),
        "is a dataset in %s format, and datasets cannot be nested (expected a path outside it)",
        found.map(DatasetFormat::name).orElse(""));
  }

  /**
   * Returns the claim on the path for a run. {@link #checkPath}, which examines each file of the
   * sources, has already accepted the path; it is called again only if there is something to
   * replace.
   *
   * @param settings the settings that define the result
   * @param isThere whether the dataset is already at the path and is left unchanged
   * @throws FormatException if the path is unusable
   */
  public PlannedClaim claim(Settings settings, boolean isThere) throws IOException {
    if (storage.kind(published) != EntryKind.ABSENT) {
      checkPath();
    }
    DatasetPublication.checkFree(published, true, storage); // fails without access
    RunRecord record = record(RunPaths.of(published), settings, read());
    PlannedClaim.Target target =
        isThere ? PlannedClaim.Target.NONE : new Written(this, record.isDirect());
    return new PlannedClaim(claim(RunPaths.of(published), record), target);
  }

  /** The dataset that a run writes. */
  private record Written(DatasetDestination path, boolean direct) implements PlannedClaim.Target {
    @Override
    public void check(boolean isClean) throws IOException {
      if (!direct) {
        path.checkFree(isClean);
        path.checkReplaced();
      }
    }

    @Override
    public void probe(RunFolder run) throws IOException {
      if (direct) {
        run.checkFree();
      } else {
        path.probe(run).checkName();
        path.probe(run).checkMove();
      }
    }
  }

  /**
   * Returns the dataset to be replaced, and the files of an interrupted run that is not continued.
   *
   * @throws org.saevhadoop.format.io.FormatException if the existing content of the path cannot be
   *     replaced
   */
  public List<RemovedFiles> removed() throws IOException {
    if (replace && storage.kind(published) != EntryKind.ABSENT) {
      ReplaceableDataset.check(published, runner.formats(), storage);
    }
    List<RemovedFiles> removed = new ArrayList<>(replace ? files(published, published) : List.of());
    removed.addAll(removed(RunPaths.of(published)));
    return removed;
  }

  /**
   * Returns the complete files of an interrupted run that is not continued.
   *
   * @param folder the folder of the run
   */
  List<RemovedFiles> removed(StoragePath folder) throws IOException {
    return leftovers.resume() ? List.of() : files(folder, RunPaths.data(folder));
  }

  private List<RemovedFiles> files(StoragePath shown, StoragePath folder) throws IOException {
    if (storage.kind(folder) != EntryKind.FOLDER) {
      return List.of();
    }
    long files =
        storage.list(folder).stream().filter(entry -> entry.kind() == EntryKind.FILE).count();
    return files == 0 ? List.of() : List.of(new RemovedFiles(shown.shown(), files));
  }

  /**
   * Returns the claim on the folder in which the source is staged. The folder is next to the
   * dataset, in the same encryption zone. If the dataset is published below the path, the path may
   * be the root of the encryption zone.
   *
   * @param source the stream, or the first of several sources
   * @param settings the settings that define the staged data
   * @param below whether the dataset is published in a subfolder of the path
   */
  PlannedClaim claimStaging(StoragePath source, Settings settings, boolean below)
      throws IOException {
    StoragePath folder = staging(source, below);
    return new PlannedClaim(
        claim(folder, record(folder, settings, sources)), new Staged(this, below));
  }

  /** A dataset that a run stages so that it can be converted. */
  private record Staged(DatasetDestination path, boolean below) implements PlannedClaim.Target {
    @Override
    public void check(boolean isClean) {
      // the conversion checks the path
    }

    @Override
    public void probe(RunFolder run) throws IOException {
      path.probe(run).checkName();
      if (!below) {
        path.probe(run).checkMove();
      }
    }
  }

  /** Returns the folder in which a source is staged. */
  StoragePath staging(StoragePath source, boolean below) {
    return RunPaths.forStaging(source, below ? published.child("dataset") : published);
  }

  private void checkReplaced() throws IOException {
    if (replace && storage.kind(published) != EntryKind.ABSENT) {
      ReplaceableDataset.check(published, runner.formats(), storage);
      if (!storage.hasFolders()) {
        leftovers
            .messages()
            .accept(
                "%s is replaced, on a storage that copies files to rename them: a new path avoids"
                        .formatted(published.shown())
                    + " the copy");
      }
    }
  }

  private DestinationProbe probe(RunFolder run) {
    return new DestinationProbe(run.path(), published, storage);
  }

  private RunClaim claim(StoragePath folder, RunRecord record) {
    return new RunClaim(folder, record, this::isAlive, leftovers, storage);
  }

  /**
   * Returns whether the datasets that a run reads are unchanged since the run claimed the path.
   *
   * @param run the record of the run
   */
  boolean isUnchanged(RunRecord run) throws IOException {
    return run.state().isEmpty() || run.state().equals(SourceState.of(read()));
  }

  private RunRecord record(StoragePath folder, Settings settings, List<StoragePath> read)
      throws IOException {
    Map<String, String> plan = ConfSettings.toMap(settings);
    FREE.forEach(key -> plan.remove(key.name()));
    return RunRecord.of(
        published.qualified(),
        settings.get(OutputKeys.DIRECT) ? published.qualified() : RunPaths.data(folder).qualified(),
        RunRecord.source(sources),
        storage.user(),
        SourceState.of(read),
        plan);
  }

  private boolean isAlive(SubmittedJob job) throws IOException {
    return new YarnApplications(runner.conf()).isAlive(job, runner.servers());
  }

  /**
   * Returns the path of a dataset in a subfolder of the path that the user named. Leading
   * components of the subfolder are not repeated if that path already ends with them.
   */
  public static StoragePath below(StoragePath target, String directory) {
    if (directory.isEmpty()) {
      return target;
    }
    int last = directory.lastIndexOf('/');
    if (last > 0 && target.shown().endsWith("/" + directory.substring(0, last))) {
      return target.child(directory.substring(last + 1));
    }
    StoragePath path = target;
    for (String name : directory.split("/")) {
      path = path.child(name);
    }
    return path;
  }
}
