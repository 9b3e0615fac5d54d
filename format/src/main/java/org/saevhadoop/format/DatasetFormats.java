package org.saevhadoop.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrow.ArrowFormat;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.kind.FolderKind;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.format.pickleshards.PickleFormat;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.saev.SaevFormat;
import org.saevhadoop.format.safetensors.SafetensorsFormat;
import org.saevhadoop.format.samediff.SameDiffFormat;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.settings.TypedText;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ProvenanceDocuments;
import org.saevhadoop.format.spi.VectorTensors;
import org.saevhadoop.format.torch.TorchFormat;

/** A list of dataset formats. A new format is added to the {@linkplain #registry standard one}. */
public final class DatasetFormats implements FormatRegistry {
  private static final DatasetFormats STANDARD =
      new DatasetFormats(
          List.of(
              new SaevFormat(),
              new SafetensorsFormat(),
              new PickleFormat(),
              new SameDiffFormat(),
              new NpyFormat(),
              new TorchFormat(),
              new ArrowFormat()));

  private final List<DatasetFormat> formats;
  private final SettingKey<DatasetFormat> sourceFormat;

  /** Creates a registry of formats. */
  public DatasetFormats(List<DatasetFormat> formats) {
    this.formats = List.copyOf(formats);
    this.sourceFormat =
        SettingKey.of(
                "saev.input.format",
                SettingTypes.of(
                    String.join("|", names()),
                    NearestWord.or(names()),
                    this::parsed,
                    DatasetFormat::name),
                null,
                "The format of the source; files of other formats are not read. Of several sources,"
                    + " it is that of those that have such files. By default the files decide.")
            .option(ArrayProposals.FROM);
  }

  private DatasetFormat parsed(String name) {
    return named(name)
        .orElseThrow(
            () -> {
              List<String> near = NearestWord.suggestions(TypedText.plain(name), names());
              return new IllegalArgumentException(
                  "unknown format (expected %s)"
                      .formatted(NearestWord.or(near.isEmpty() ? names() : near)));
            });
  }

  /** Returns the key of the format of a source. */
  public SettingKey<DatasetFormat> sourceFormat() {
    return sourceFormat;
  }

  /** Returns the registry of the formats of this project. */
  public static DatasetFormats registry() {
    return STANDARD;
  }

  /** Returns all formats. */
  public List<DatasetFormat> all() {
    return formats;
  }

  /** Returns the formats that can be written. */
  public List<DatasetFormat> writable() {
    return formats.stream().filter(format -> format.writing().isPresent()).toList();
  }

  @Override
  public DatasetFormat formatAt(Location location) throws IOException {
    return detect(location);
  }

  /** Returns the format with a name, ignoring case, if there is one. */
  public Optional<DatasetFormat> named(String name) {
    return formats.stream().filter(format -> format.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Returns the names of all formats. */
  public List<String> names() {
    return formats.stream().map(DatasetFormat::name).toList();
  }

  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format, or is a file of a dataset whose
   *     folder is meant; the message names what is there
   */
  public DatasetFormat detect(Location location) throws IOException {
    Optional<Match> best = best(location);
    if (best.isPresent() && !(location.isFile() && best.get().evidence() == FormatEvidence.WEAK)) {
      return withoutRivals(location, best.get());
    }
    if (location.isFile()) {
      refusePart(location.folder(), location.file());
    }
    Optional<String> problem = problem(location);
    if (best.isPresent() && problem.isEmpty()) {
      return best.get().format();
    }
    throw DatasetError.UNKNOWN_FORMAT.in(
        location.path(),
        "%s (expected %s%s)",
        problem.orElse("has an unknown format"),
        formats.stream().map(format -> format.expected()).collect(Collectors.joining(", ")),
        location.isFile() && problem.isEmpty() ? decidingOptions() : "");
  }

  /** Returns the options that describe files which no format recognizes. */
  private String decidingOptions() {
    return formats.stream()
        .flatMap(format -> format.decidingKeys().stream())
        .flatMap(key -> key.options().stream())
        .map(option -> "; or " + option.name())
        .collect(Collectors.joining());
  }

  /**
   * Returns the format of a folder, which has no arrays of another format that may be activations,
   * too: that of others if the files of the likeliest one hold none.
   */
  private DatasetFormat withoutRivals(Location location, Match best) throws IOException {
    List<DatasetFormat> found = new ArrayList<>();
    for (DatasetFormat format : rivals(location, best)) {
      if (proposed(format, location).filter(own -> !own.areVectors()).isPresent()) {
        found.add(format);
      }
    }
    if (found.size() == 1 && proposed(best.format, location).isEmpty()) {
      return found.get(0);
    }
    ArrayError.AMBIGUOUS.check(
        found.isEmpty(),
        location.path(),
        "has files of several formats: %s (expected --from with one of them, or --files)",
        Stream.concat(Stream.of(best.format), found.stream()).map(DatasetFormat::name).toList());
    return best.format;
  }

  /** Returns other formats that a folder resembles as much as the one that it resembles most. */
  private List<DatasetFormat> rivals(Location location, Match best) throws IOException {
    List<DatasetFormat> rivals = new ArrayList<>();
    if (!location.isFile() && best.evidence == FormatEvidence.FAIR) {
      for (DatasetFormat format : formats) {
        if (format != best.format && format.detect(location) == FormatEvidence.FAIR) {
          rivals.add(format);
        }
      }
    }
    return rivals;
  }

  /** Returns what a format proposes; empty if it cannot read the files. */
  private static Optional<ArrayProposals> proposed(DatasetFormat format, Location location)
      throws IOException {
    try {
      return format.propose(location);
    } catch (FormatException e) {
      return Optional.empty(); // another format may, and the error of reading these is reported
    }
  }

  /** Returns the format that a location resembles, if it resembles any. */
  public Optional<DatasetFormat> find(Location location) throws IOException {
    return best(location).map(Match::format);
  }

  /** Returns the format that a location resembles most, if there is enough evidence of it. */
  public Optional<DatasetFormat> find(Location location, FormatEvidence least) throws IOException {
    return best(location)
        .filter(match -> match.evidence().compareTo(least) >= 0)
        .map(Match::format);
  }

  /**
   * Returns the format of the dataset at a location if the name of a file shows that it belongs to
   * the dataset, as those of documents do.
   */
  public Optional<DatasetFormat> documented(Location folder) throws IOException {
    Set<String> names = folder.files().keySet();
    boolean some = formats.stream().anyMatch(format -> names.stream().anyMatch(format::isPart));
    return some
        ? find(folder).filter(format -> names.stream().anyMatch(format::isPart))
        : Optional.empty();
  }

  /** What a format proposes for files that may be a dataset. */
  public record Proposed(DatasetFormat format, ArrayProposals proposals) {}

  /**
   * Returns what the first format proposes that proposes something, and what others propose that
   * the location resembles as much.
   *
   * @param first the format that is asked first; null for none
   * @param only the format that the user has named; null for any
   */
  public Optional<Proposed> propose(
      Location location, @Nullable DatasetFormat first, @Nullable DatasetFormat only)
      throws IOException {
    if (only != null) {
      return proposed(only, location).map(own -> new Proposed(only, own.ofFormat(only.name())));
    }
    List<DatasetFormat> asked = new ArrayList<>();
    if (first != null) {
      asked.add(first);
    }
    formats.stream().filter(format -> format != first).forEach(asked::add);
    for (DatasetFormat format : asked) {
      Optional<ArrayProposals> found = proposed(format, location);
      if (found.isPresent()) {
        return Optional.of(new Proposed(format, withRivals(location, format, found.get())));
      }
    }
    return Optional.empty();
  }

  private ArrayProposals withRivals(
      Location location, DatasetFormat format, ArrayProposals proposals) throws IOException {
    Map<String, ArrayProposals> all = new LinkedHashMap<>();
    all.put(format.name(), proposals);
    for (DatasetFormat rival : rivals(location, new Match(format, format.detect(location)))) {
      proposed(rival, location)
          .filter(found -> !found.areVectors())
          .ifPresent(found -> all.put(rival.name(), found));
    }
    return all.size() == 1 ? proposals : ArrayProposals.ofFormats(all);
  }

  /** The format that a location resembles most. */
  private record Match(DatasetFormat format, FormatEvidence evidence) {}

  private Optional<Match> best(Location location) throws IOException {
    Match best = null;
    for (DatasetFormat format : formats) {
      FormatEvidence evidence = format.detect(location);
      if (evidence.compareTo(best == null ? FormatEvidence.NONE : best.evidence()) > 0) {
        best = new Match(format, evidence);
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Checks that an entry of a folder does not belong to a dataset there, for a path that is that of
   * no dataset.
   *
   * @param name the name of a file, or of a folder
   * @throws FormatException if it does; the message names the folder
   */
  public void refusePart(Folder folder, String name) throws IOException {
    boolean sidecar = name.endsWith(Sidecar.SUFFIX);
    if (!sidecar && formats.stream().noneMatch(format -> format.isPart(name))) {
      return;
    }
    Optional<DatasetFormat> dataset = find(Location.of(folder));
    if (dataset.isPresent() && (sidecar || dataset.get().isPart(name))) {
      throw FileError.NOT_A_FOLDER.in(
          folder.path(name),
          "is a part of a %s dataset (expected its folder: %s)",
          dataset.get().name(),
          folder.path());
    }
  }

  private static Optional<String> problem(Location location) throws IOException {
    if (!location.isFile()) {
      return FolderKind.problem(location);
    }
    try (Input file = location.folder().open(location.file())) {
      return FileKind.problem(file);
    }
  }

  /** Returns how tensors of one dimension are read, in the format of files of statistics. */
  public VectorTensors vectorTensors() {
    return formats.stream()
        .flatMap(format -> format.vectorTensors().stream())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the reading keys of all formats. */
  public Set<SettingKey<?>> readingKeys() {
    return formats.stream()
        .flatMap(format -> format.readingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Override
  public Set<SettingKey<?>> writingKeys() {
    return writable().stream()
        .flatMap(format -> format.writing().orElseThrow().writingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<ProvenanceDocuments> documents() {
    return formats.stream().flatMap(format -> format.provenance().stream()).toList();
  }

  /** Asks one format for what it has recorded in provenance. */
  @FunctionalInterface
  private interface Question<T> {
    Optional<T> ask(ProvenanceDocuments documents) throws FormatException;
  }

  /** Returns the first answer of a format. */
  private <T> Optional<T> first(Question<T> question) throws FormatException {
    for (ProvenanceDocuments documents : documents()) {
      Optional<T> answer = question.ask(documents);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  @Override
  public OptionalInt clsTokens(Provenance provenance) throws FormatException {
    return first(of -> Optional.of(of.clsTokens(provenance)).filter(OptionalInt::isPresent))
        .orElse(OptionalInt.empty());
  }

  @Override
  public Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return first(of -> of.identity(provenance));
  }

  @Override
  public Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    return first(of -> of.geometry(provenance));
  }

  @Override
  public ModelName model(Provenance provenance) throws FormatException {
    ModelName known = ModelName.UNKNOWN;
    for (ProvenanceDocuments documents : documents()) {
      known = known.or(documents.model(provenance));
    }
    return known;
  }

  @Override
  public Provenance provenance(Settings settings) {
    Provenance all = Provenance.NONE;
    for (ProvenanceDocuments documents : documents()) {
      for (var document : documents.provenance(settings).documents().entrySet()) {
        all = all.with(document.getKey(), document.getValue());
      }
    }
    return all;
  }

  @Override
  public Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    Provenance selected = provenance;
    for (ProvenanceDocuments documents : documents()) {
      selected = documents.select(whole, part, selected);
    }
    return selected;
  }

  @Override
  public Provenance combine(Geometry combined, List<Origin> sources, Provenance provenance)
      throws FormatException {
    Provenance changed = provenance;
    for (ProvenanceDocuments documents : documents()) {
      changed = documents.combine(combined, sources, changed);
    }
    return changed;
  }

  @Override
  public Provenance shuffle(
      Geometry shuffled, OptionalInt clsTokens, String order, Provenance provenance)
      throws FormatException {
    Provenance changed = provenance;
    for (ProvenanceDocuments documents : documents()) {
      changed = documents.shuffle(shuffled, clsTokens, order, changed);
    }
    return changed;
  }

  @Override
  public Provenance normalize(String normalization, Provenance provenance) throws FormatException {
    Provenance changed = provenance;
    for (ProvenanceDocuments documents : documents()) {
      changed = documents.normalize(normalization, changed);
    }
    return changed.with(Normalization.DOCUMENT, normalization);
  }
}
