package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.Combination;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.combined.CombinedSource;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ProvenanceDocuments;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.SourceSurvey;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.SeveralSources;

/**
 * Several datasets that a command will read as one.
 *
 * @param members the datasets in the order in which they were typed, each with its selected part
 * @param way whether the datasets add examples or layers; null to choose the way that fits
 * @param renumber whether the ids of the datasets are dropped and the examples only numbered
 */
public record SeveralRequests(
    List<SourceRequest> members, @Nullable Combine way, boolean renumber) {
  private static final int MAX_SHOWN = 8;

  public SeveralRequests {
    members = List.copyOf(members);
  }

  /** Returns the subfolder of a stage in which one of the datasets is staged if it is a stream. */
  static StoragePath stagedIn(StoragePath folder, int member) {
    return folder.child("source_" + member);
  }

  /**
   * Returns how tasks open the datasets: streams are opened from the staged data, if there is a
   * folder.
   */
  SeveralSources references(@Nullable StoragePath staged) throws IOException {
    List<SeveralSources.Source> sources = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      SourceRequest member = members.get(i);
      StoragePath path =
          staged == null || !OpenedSource.isStream(member) ? null : stagedIn(staged, i);
      SourceReference reference =
          path == null ? member.reference(member.source(), false) : member.reference(path, true);
      String shown = member.source().shown();
      sources.add(SeveralSources.Source.of(shown, reference, member.spec()));
    }
    return new SeveralSources(sources, way, renumber);
  }

  /**
   * Combines the datasets.
   *
   * @param staged the streams among the datasets, by their index
   * @throws FormatException if the datasets cannot be combined; all other differences are warnings
   */
  TableDataset combine(Map<Integer, TableDataset> staged, JobRunner runner) throws IOException {
    List<FormatException> conflicts = new ArrayList<>();
    List<CombinedSource> sources = open(staged, conflicts, runner);
    conflicts.addAll(conflicts(sources));
    for (int i = 1; i < conflicts.size(); i++) {
      runner.warning(String.valueOf(conflicts.get(i).getMessage()));
    }
    if (!conflicts.isEmpty()) {
      throw conflicts.get(0);
    }
    warn(sources, runner);
    return combine(sources, runner);
  }

  /**
   * Opens the datasets, except streams that are not staged.
   *
   * @param staged the streams among the datasets, by their index
   * @param failures receives an error for each dataset that cannot be opened
   */
  public List<CombinedSource> open(
      Map<Integer, TableDataset> staged, List<FormatException> failures, JobRunner runner)
      throws IOException {
    List<SourceRequest> opened = new ArrayList<>();
    List<Io.Supplier<TableDataset>> openers = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      SourceRequest member = members.get(i);
      TableDataset stream = staged.get(i);
      try {
        if (stream != null || !OpenedSource.isStream(member)) {
          opened.add(member);
          openers.add(() -> part(member, stream != null ? stream : member.open(runner)));
        }
      } catch (FormatException e) {
        failures.add(e);
      }
    }
    SourceSurvey.Opened found = SourceSurvey.of(openers);
    failures.addAll(found.failures().values());
    List<CombinedSource> sources = new ArrayList<>();
    for (Map.Entry<Integer, SourceSurvey> entry : found.surveys().entrySet()) {
      SourceRequest member = opened.get(entry.getKey());
      SourceSurvey survey = entry.getValue();
      String identity = identity(member, survey, runner);
      String path = member.source().shown();
      sources.add(new CombinedSource(path, identity, survey.facts(), survey.opener()));
    }
    return sources;
  }

  /** Returns all conflicts that keep open datasets from being combined. */
  public List<FormatException> conflicts(List<CombinedSource> sources) {
    if (sources.isEmpty()) {
      return List.of();
    }
    List<FormatException> conflicts = new ArrayList<>(Combination.conflicts(sources, way));
    conflicts.addAll(normalizedOtherwise(sources));
    return conflicts;
  }

  /**
   * Combines open datasets that have no conflicts.
   *
   * @throws FormatException if an id occurs twice, or if the same examples differ between datasets
   */
  public TableDataset combine(List<CombinedSource> sources, JobRunner runner) throws IOException {
    Combination combination = Combination.of(sources, way, renumber);
    combination.checkExamples();
    Activations activations = combination.activations();
    if (activations == null) {
      return combination.dataset();
    }
    List<ProvenanceDocuments.Origin> origins = new ArrayList<>();
    for (CombinedSource source : sources) {
      Activations own = Objects.requireNonNull(source.facts().activations());
      long examples = source.facts().table().examples();
      origins.add(new ProvenanceDocuments.Origin(source.identity(), examples, own.provenance()));
    }
    Provenance provenance =
        runner.formats().combine(activations.geometry(), origins, activations.provenance());
    return combination.with(provenance).dataset();
  }

  /** Warns about datasets without conflicts that may nevertheless not belong together. */
  public void warn(List<CombinedSource> sources, JobRunner runner) throws IOException {
    warnOfModels(sources, runner);
    warnOfRepetition(runner);
    if (way == null && Combination.of(sources, way, renumber).way() == Combine.EXAMPLES) {
      warnOfLayers(sources, runner);
    }
  }

  /**
   * Returns one plan for the first staging jobs of all streams together, one job for each stream.
   */
  JobPlan planStaging(StoragePath folder, boolean resumed, JobRunner runner)
      throws IOException, InterruptedException {
    Collection<JobPlan> plans =
        SourceTurns.run(
                streams(),
                (i, own) -> {
                  SourceRequest member = members.get(i);
                  StoragePath part = stagedIn(folder, i);
                  boolean begun = resumed && part.kind() == StoragePath.Kind.FOLDER;
                  return OpenedSource.planStaging(
                      member, member.spec().projection(), part, begun, own);
                },
                runner)
            .values();
    int maps = plans.stream().mapToInt(JobPlan::maps).sum();
    return new JobPlan(maps, 0, plans.stream().mapToLong(JobPlan::bytes).sum(), folder);
  }

  /** Stages the streams, several at the same time, and combines the datasets. */
  TableDataset stage(StoragePath folder, @Nullable RunFolder run, JobRunner runner)
      throws IOException, InterruptedException {
    Map<Integer, TableDataset> staged =
        SourceTurns.run(
            streams(),
            (i, own) -> {
              SourceRequest member = members.get(i);
              StoragePath part = stagedIn(folder, i);
              own.storage(part).createPrivate(part, run == null);
              return OpenedSource.stageAll(member, member.spec().projection(), part, run, own);
            },
            runner);
    return combine(staged, runner);
  }

  /** Reads the streams again, several at the same time, and compares them with the staged data. */
  void compareStaged(StoragePath folder, @Nullable RunFolder run, JobRunner runner)
      throws IOException, InterruptedException {
    SourceTurns.run(
        streams(),
        (i, own) -> {
          SourceRequest member = members.get(i);
          OpenedSource.staging(member, stagedIn(folder, i), run, own)
              .compare(member.spec().format(), member.spec().projection());
          return true;
        },
        runner);
  }

  private List<Integer> streams() throws IOException {
    List<Integer> streams = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (OpenedSource.isStream(members.get(i))) {
        streams.add(i);
      }
    }
    return streams;
  }

  private static TableDataset part(SourceRequest member, TableDataset whole) throws IOException {
    return member.spec().projection().resolve(whole).of(whole);
  }

  /**
   * Returns an error for each source that is normalized differently from the first: vectors on
   * different scales are not suitable for training, and one record covers all sources.
   */
  private static List<FormatException> normalizedOtherwise(List<CombinedSource> sources) {
    CombinedSource first = sources.get(0);
    String expected = normalization(first);
    return sources.stream()
        .filter(source -> !normalization(source).equals(expected))
        .map(
            source ->
                CombinationError.NORMALIZATION_DIFFERS.in(
                    source.path(),
                    "has vectors that are %s (expected %s, as in %s)",
                    normalization(source),
                    expected,
                    first.path()))
        .toList();
  }

  private static String normalization(CombinedSource source) {
    Activations activations = source.facts().activations();
    return activations == null
        ? "not normalized"
        : activations
            .provenance()
            .document(Provenance.NORMALIZATION)
            .map("normalized by "::concat)
            .orElse("not normalized");
  }

  /** Warns about datasets of different models; only the name of the first model is recorded. */
  private static void warnOfModels(List<CombinedSource> sources, JobRunner runner)
      throws FormatException {
    ModelName first = model(sources.get(0), runner).or(ModelName.ASSUMED);
    for (CombinedSource source : sources) {
      ModelName other = model(source, runner).or(ModelName.ASSUMED);
      if (!other.equals(first)) {
        runner.warning(
            "%s: is of the model %s (%s is of %s, which is recorded)"
                .formatted(source.path(), other, sources.get(0).path(), first));
        return;
      }
    }
  }

  /**
   * Warns about datasets that are combined as more examples only because the numbers of their
   * layers are unknown. With different numbers of examples, they cannot be layers of the same
   * examples.
   */
  private static void warnOfLayers(List<CombinedSource> sources, JobRunner runner) {
    List<CombinedSource> assumed =
        sources.stream().filter(source -> source.facts().isLayerAssumed()).toList();
    long counts =
        sources.stream().map(source -> source.facts().table().examples()).distinct().count();
    if (assumed.isEmpty() || counts > 1) {
      return;
    }
    List<String> others = assumed.stream().skip(1).map(CombinedSource::path).toList();
    String more = others.size() > MAX_SHOWN ? ", ..." : "";
    String list = String.join(", ", others.subList(0, Math.min(MAX_SHOWN, others.size()))) + more;
    runner.warning(
        ("%s: no name states the number of its layer, which becomes 0%s; the datasets are combined as"
                + " more examples (--combine examples omits this warning; for layers of the same"
                + " examples, -D saev.input.%d.layer.names=L numbers the layer)")
            .formatted(
                assumed.get(0).path(),
                others.isEmpty() ? "" : " (as in " + list + ")",
                sources.indexOf(assumed.get(0))));
  }

  private void warnOfRepetition(JobRunner runner) throws IOException {
    Set<Object> read = new HashSet<>();
    for (SourceRequest member : members) {
      if (!read.add(List.of(member.source(), ConfSettings.toMap(member.spec().toSettings())))) {
        runner.warning(member.source().shown() + ": is given more than once");
      }
    }
  }

  private static ModelName model(CombinedSource source, JobRunner runner) throws FormatException {
    Activations activations = source.facts().activations();
    return activations == null
        ? ModelName.UNKNOWN
        : runner.formats().model(activations.provenance());
  }

  /**
   * Returns the identity of a dataset: its hash, or the SHA-256 of the names and lengths of its
   * files, because the digest would require reading all values.
   */
  private static String identity(SourceRequest member, SourceSurvey survey, JobRunner runner)
      throws IOException {
    InputSpec spec = member.spec();
    String part =
        spec.projection().isEverything()
            ? ""
            : " " + ConfSettings.toMap(spec.toSettings().only(InputKeys.projection()));
    Activations activations = survey.facts().activations();
    if (activations != null) {
      Provenance provenance = activations.provenance();
      Optional<DatasetIdentity> known = runner.formats().identity(provenance);
      if (known.isPresent()) {
        return known.get().hash() + part;
      }
    }
    MessageDigest files = Sha256.digest();
    for (Map.Entry<String, Long> file : member.location().files().entrySet()) {
      String line = file.getKey() + " " + file.getValue() + "\n";
      files.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return "files:" + Sha256.text(files) + part;
  }
}
