package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.publish.SourceOverlap;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetSurvey;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SourceKeys;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/**
 * A dataset that a command will read, before it is opened.
 *
 * @param spec the input that options and configuration define; for several datasets, the part of
 *     the combined dataset
 * @param several the datasets that are read as one, beginning with this one; null if there is only
 *     one
 */
public record SourceRequest(
    StoragePath source,
    Location location,
    DatasetFormat format,
    InputSpec spec,
    @Nullable SeveralRequests several) {
  private static final Pattern SHARD = Pattern.compile("(.+\\.shard)\\d+-of-\\d+\\.\\w+");

  public SourceRequest(
      StoragePath source, Location location, DatasetFormat format, InputSpec spec) {
    this(source, location, format, spec, null);
  }

  /**
   * Returns the request for the only source of a verb, which is several datasets if the settings
   * name others ({@link CombineKeys}). If the path denotes a folder that is not a dataset but
   * contains exactly one, that dataset is read, and a message names it.
   *
   * @param settings the values that the user has set for keys
   * @throws NestedDatasetsException if the path denotes a folder that contains several datasets
   * @throws FormatException if the path does not exist, or the format is unknown
   */
  public static SourceRequest of(String path, SettingSource settings, JobRunner runner)
      throws IOException {
    Settings combine = settings.settings(runner.configured(), CombineKeys.all());
    List<String> others = combine.get(CombineKeys.WITH);
    if (others == null) {
      checkSeveral(combine);
      return one(path, settings, runner);
    }
    List<String> paths = new ArrayList<>(List.of(path));
    paths.addAll(others);
    return several(
        paths,
        combine.get(CombineKeys.COMBINE).orElse(null),
        combine.get(CombineKeys.RENUMBER),
        settings,
        runner);
  }

  /** Returns the request for the only source of a verb that reads one dataset. */
  public static SourceRequest one(String path, SettingSource settings, JobRunner runner)
      throws IOException {
    SourceKeys.warnings(runner.configured(), 0).forEach(runner::warning);
    return of(path, true, settings, runner.configured(), new HashMap<>(), runner);
  }

  private static void checkSeveral(Settings combine) {
    for (SettingKey<?> key : List.of(CombineKeys.COMBINE, CombineKeys.RENUMBER)) {
      if (combine.isSet(key)) {
        throw new SettingException(
            "%s is for several datasets (expected %s)"
                .formatted(combine.nameOf(key), CombineKeys.WITH.options().get(0).name()));
      }
    }
  }

  /**
   * Returns the request for several datasets as one. The settings select a part of the combined
   * dataset; keys of one source ({@link SourceKeys}) select a part of that source.
   *
   * @param way whether the datasets add examples or layers; null to choose the way that fits
   * @param renumber whether the ids of the datasets are dropped and the examples only numbered
   */
  public static SourceRequest several(
      List<String> paths,
      @Nullable Combine way,
      boolean renumber,
      SettingSource settings,
      JobRunner runner)
      throws IOException {
    Configuration all = runner.configured();
    List<SourceRequest> members = new ArrayList<>();
    for (SourceRequest found : of(paths, settings, runner)) {
      Settings own =
          all == null
              ? Settings.NONE
              : ConfSettings.read(SourceKeys.only(all, members.size()), InputKeys.projection());
      members.add(found.with(InputSpec.of(own, List.of()).projection()));
    }
    InputSpec spec = InputSpec.of(settings.settings(all, InputKeys.all()), List.of());
    return several(new SeveralRequests(members, way, renumber), spec);
  }

  /** Opens the whole dataset, which must be a single dataset and not a stream. */
  TableDataset open(JobRunner runner) throws IOException {
    return format.open(location, spec.format(), runner.formats());
  }

  /**
   * Returns the request for datasets that have been found, as one dataset.
   *
   * @param spec the part of the combined dataset
   */
  public static SourceRequest several(SeveralRequests several, InputSpec spec) {
    SourceRequest first = several.members().get(0);
    return new SourceRequest(first.source, first.location, first.format, spec, several);
  }

  /** Returns the datasets that are read: this dataset, unless there are several. */
  public List<SourceRequest> members() {
    return several == null ? List.of(this) : several.members();
  }

  /** Returns the paths of the datasets that are read. */
  public List<StoragePath> sources() {
    return members().stream().map(SourceRequest::source).toList();
  }

  /**
   * Returns how tasks open the dataset.
   *
   * @param path the path of the dataset, or of the folder in which it is staged
   */
  SourceReference reference(StoragePath path, boolean staged) {
    return new SourceReference(path.qualified(), format.getClass().getName(), staged);
  }

  /** Returns the subfolders of a stage in which streams are staged. */
  public List<StoragePath> stagedIn(StoragePath folder) {
    List<StoragePath> folders = new ArrayList<>(List.of(folder));
    for (int i = 0; several != null && i < several.members().size(); i++) {
      folders.add(SeveralRequests.stagedIn(folder, i));
    }
    return folders;
  }

  /** Returns the settings that define the input, as in the record of a run. */
  public Settings recorded() throws IOException {
    return (several == null ? spec : spec.with(several.references(null))).toSettings();
  }

  /**
   * Returns the requests for the sources of a verb, each found like a single source. Keys of one
   * source ({@link SourceKeys}) take precedence over keys of all sources. A format that the user
   * names applies to the sources whose files have this format.
   *
   * @param settings the values that the user has set for keys
   * @throws FormatException if a path does not exist, or its format is unknown; further errors are
   *     reported as warnings
   */
  public static List<SourceRequest> of(List<String> paths, SettingSource settings, JobRunner runner)
      throws IOException {
    List<FormatException> failures = new ArrayList<>();
    List<SourceRequest> requests = find(paths, settings, failures, runner);
    for (int i = 1; i < failures.size(); i++) {
      runner.warning(String.valueOf(failures.get(i).getMessage()));
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
    return requests;
  }

  /**
   * Returns the requests for the sources that are found; see {@link #of}.
   *
   * @param failures receives an error for each of the other sources
   */
  public static List<SourceRequest> find(
      List<String> paths, SettingSource settings, List<FormatException> failures, JobRunner runner)
      throws IOException {
    SourceKeys.warnings(runner.configured(), paths.size()).forEach(runner::warning);
    List<SourceRequest> requests = new ArrayList<>();
    Map<StoragePath, Location> listed = new HashMap<>();
    for (int i = 0; i < paths.size(); i++) {
      try {
        requests.add(numbered(paths.get(i), i, settings, listed, runner));
      } catch (FormatException e) {
        failures.add(e);
      }
    }
    return requests;
  }

  private static SourceRequest numbered(
      String path,
      int index,
      SettingSource settings,
      Map<StoragePath, Location> listed,
      JobRunner runner)
      throws IOException {
    Configuration all = runner.configured();
    if (all == null) {
      return of(path, false, settings, null, listed, runner);
    }
    Configuration own = SourceKeys.only(all, index);
    SettingSource preferred =
        (conf, keys) -> settings.settings(all, keys).and(ConfSettings.read(own, keys));
    return of(path, false, preferred, SourceKeys.of(all, index), listed, runner);
  }

  private static SourceRequest of(
      String path,
      boolean isOnly,
      SettingSource source,
      @Nullable Configuration conf,
      Map<StoragePath, Location> listed,
      JobRunner runner)
      throws IOException {
    try {
      return at(path, isOnly, source, conf, listed, runner);
    } catch (NestedDatasetsException e) {
      String only = e.only().orElseThrow(() -> e);
      runner
          .listener()
          .message("note: reading %s, the only dataset found in %s".formatted(only, e.path()));
      return at(only, isOnly, source, conf, listed, runner);
    }
  }

  /**
   * Returns the request for one dataset.
   *
   * @param listed a location in each folder whose files other requests read
   */
  private static SourceRequest at(
      String path,
      boolean isOnly,
      SettingSource source,
      @Nullable Configuration conf,
      Map<StoragePath, Location> listed,
      JobRunner runner)
      throws IOException {
    StoragePath named = runner.path(path, conf);
    Location found = locate(named);
    StoragePath parent = named.parent();
    Location location =
        found.isFile() && parent != null
            ? listed.computeIfAbsent(parent, folder -> found).sibling(found.file())
            : found;
    boolean base = location.isFile() && !location.file().equals(named.name());
    StoragePath file = base && parent != null ? parent.child(location.file()) : named;
    DatasetFormat format = SourceFormat.of(path, named, location, isOnly, source, conf, runner);
    List<SettingKey<?>> keys = new ArrayList<>(InputKeys.all());
    keys.addAll(format.readingKeys());
    Settings settings = source.settings(conf, keys);
    return new SourceRequest(file, location, format, InputSpec.of(settings, format.readingKeys()));
  }

  /**
   * Returns the location of a path, whether it exists or not.
   *
   * @throws FormatException if the path does not exist
   */
  public static Location location(String path, JobRunner runner) throws IOException {
    return locate(runner.path(path));
  }

  private static Location locate(StoragePath path) throws IOException {
    try {
      return path.locate();
    } catch (FormatException e) {
      boolean isMissing = e.kind() == FileError.NOT_FOUND && e.expected() == null;
      throw isMissing ? MissingPath.error(path, e) : e;
    }
  }

  /**
   * Returns the request for a whole dataset that a command has written and may not have published.
   */
  public static SourceRequest written(StoragePath path, DatasetFormat format) throws IOException {
    return new SourceRequest(
        path, path.locateChecked(), format, InputSpec.of(Settings.NONE, format.readingKeys()));
  }

  /**
   * Checks that a file can be written without damage to a source.
   *
   * @param file the path of the file, which does not have to exist
   * @throws FormatException if the file is in the folder that is read, or is itself read
   */
  public void checkOutput(StoragePath file) throws IOException {
    for (SourceRequest member : members()) {
      for (StoragePath path : member.read()) {
        SourceOverlap.check(path, file);
      }
    }
  }

  /**
   * Checks that files can be created in a folder without damage to a source.
   *
   * @throws FormatException if the folder is inside a source
   */
  public void checkOutputFolder(StoragePath folder) throws IOException {
    for (StoragePath path : sources()) {
      SourceOverlap.checkFolder(path, folder);
    }
  }

  /** Returns the folder that is read, or the file, its sidecar and the other shards. */
  private List<StoragePath> read() throws IOException {
    if (!location.isFile()) {
      return List.of(source);
    }
    String sidecar = Sidecar.name(location.file());
    Matcher shard = SHARD.matcher(location.file());
    String base = shard.matches() ? shard.group(1) : null;
    StoragePath folder = source.folderAbove();
    List<StoragePath> read = new ArrayList<>();
    for (String name : location.listing().files().keySet()) {
      if (name.equals(location.file())
          || name.equals(sidecar)
          || base != null && name.startsWith(base)) {
        read.add(folder.child(name));
      }
    }
    return read;
  }

  /** Returns a copy in which each dataset is read as its survey proposes. */
  public SourceRequest surveyed(JobRunner runner) throws IOException {
    if (several != null) {
      List<SourceRequest> found = new ArrayList<>();
      for (SourceRequest member : several.members()) {
        found.add(member.surveyed(runner));
      }
      return new SourceRequest(
          source,
          location,
          format,
          spec,
          new SeveralRequests(found, several.way(), several.renumber()));
    }
    Optional<DatasetSurvey> survey = format.survey();
    return survey.isEmpty()
        ? this
        : withFormat(survey.get().scan().run(location, spec.format(), runner::warning));
  }

  /** Returns a copy with other settings for reading the format. */
  public SourceRequest withFormat(Settings settings) {
    return new SourceRequest(source, location, format, spec.withFormat(settings), several);
  }

  public SourceRequest with(ProjectionRequest projection) {
    return new SourceRequest(source, location, format, spec.with(projection), several);
  }

  public SourceRequest with(DTypeRequest types) {
    return new SourceRequest(source, location, format, spec.with(types), several);
  }
}
