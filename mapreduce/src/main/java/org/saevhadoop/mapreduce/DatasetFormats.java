package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.InputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
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
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.ContactKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.PlanningKeys;
import org.saevhadoop.mapreduce.numpy.NpyFormat;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import org.saevhadoop.mapreduce.pickle.PickleFormat;
import org.saevhadoop.mapreduce.saev.SaevFormat;
import org.saevhadoop.mapreduce.safetensors.SafetensorsFormat;
import org.saevhadoop.mapreduce.samediff.SameDiffFormat;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.DatasetWriting;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.FormatRegistry;
import org.saevhadoop.mapreduce.spi.ModelName;
import org.saevhadoop.mapreduce.spi.ProvenanceDocuments;
import org.saevhadoop.mapreduce.torch.TorchFormat;

/** A list of dataset formats. A new format is added to the {@linkplain #registry standard one}. */
public final class DatasetFormats implements FormatRegistry {
  /**
   * A format and its Hadoop classes, which are loaded when they are first needed.
   *
   * @param inputClass returns the class that reads its files: blocks, or the arrays of files that
   *     are streams
   * @param outputClass returns the class that writes it; null if it can only be read
   */
  public record Entry(
      DatasetFormat format,
      Supplier<Class<? extends InputFormat<ActivationKey, ActivationWritable>>> inputClass,
      @Nullable Supplier<Class<? extends ActivationOutputFormat>> outputClass) {
    public Entry {
      if (format.writing().isPresent() != (outputClass != null)) {
        throw new IllegalArgumentException("a format that is written has an output format");
      }
    }

    /** Returns the name of the format. */
    public String name() {
      return format.name();
    }

    /**
     * Returns how datasets are written.
     *
     * @throws java.util.NoSuchElementException if the format can only be read
     */
    public DatasetWriting writing() {
      return format.writing().orElseThrow();
    }

    /** Returns the class that reads its files. */
    public Class<? extends InputFormat<ActivationKey, ActivationWritable>> input() {
      return inputClass.get();
    }

    /**
     * Returns the class that writes it.
     *
     * @throws NullPointerException if the format can only be read
     */
    public Class<? extends ActivationOutputFormat> output() {
      return Objects.requireNonNull(outputClass).get();
    }
  }

  private static final DatasetFormats STANDARD =
      new DatasetFormats(
          List.of(
              new Entry(
                  new SaevFormat(), () -> SaevInputFormat.class, () -> SaevOutputFormat.class),
              new Entry(
                  new SafetensorsFormat(),
                  () -> SafetensorsInputFormat.class,
                  () -> SafetensorsOutputFormat.class),
              new Entry(
                  new PickleFormat(),
                  () -> ActivationPickleInputFormat.class,
                  () -> ActivationPickleOutputFormat.class),
              new Entry(
                  new SameDiffFormat(),
                  () -> SameDiffInputFormat.class,
                  () -> SameDiffOutputFormat.class),
              new Entry(new NpyFormat(), () -> NpyInputFormat.class, () -> NpyOutputFormat.class),
              new Entry(new TorchFormat(), () -> TorchInputFormat.class, null)));

  private final List<Entry> entries;

  /** Creates a registry of formats. */
  public DatasetFormats(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** Returns the registry of the formats of this project. */
  public static DatasetFormats registry() {
    return STANDARD;
  }

  /** Returns all formats. */
  public List<Entry> all() {
    return entries;
  }

  /** Returns the formats that can be written. */
  public List<Entry> writable() {
    return entries.stream().filter(entry -> entry.format().writing().isPresent()).toList();
  }

  @Override
  public Optional<DatasetFormat> format(String name) {
    return named(name).map(Entry::format);
  }

  @Override
  public DatasetFormat formatAt(Location location) throws IOException {
    return detect(location).format();
  }

  /** Returns the format with a name, ignoring case, if there is one. */
  public Optional<Entry> named(String name) {
    return entries.stream().filter(entry -> entry.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Returns the names of all formats. */
  public List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }

  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format, or is a file of a dataset whose
   *     folder is meant; the message names what is there
   */
  public Entry detect(Location location) throws IOException {
    Optional<Match> best = best(location);
    if (best.isPresent() && !(location.isFile() && best.get().evidence() == FormatEvidence.WEAK)) {
      return best.get().entry();
    }
    if (location.isFile()) {
      refusePart(location.folder(), location.file());
    }
    Optional<String> problem = problem(location);
    if (best.isPresent() && problem.isEmpty()) {
      return best.get().entry();
    }
    throw DatasetError.UNKNOWN_FORMAT.in(
        location.path(),
        "%s (expected %s)",
        problem.orElse("has an unknown format"),
        entries.stream().map(entry -> entry.format().expected()).collect(Collectors.joining(", ")));
  }

  /** Returns the format that a location resembles, if it resembles any. */
  public Optional<Entry> find(Location location) throws IOException {
    return best(location).map(Match::entry);
  }

  /** Returns the format that a location resembles most, if there is enough evidence of it. */
  public Optional<Entry> find(Location location, FormatEvidence least) throws IOException {
    return best(location).filter(match -> match.evidence().compareTo(least) >= 0).map(Match::entry);
  }

  /**
   * Returns the format of the dataset at a location if the name of a file shows that it belongs to
   * the dataset, as those of documents do.
   */
  public Optional<Entry> documented(Location folder) throws IOException {
    Set<String> names = folder.files().keySet();
    boolean some =
        entries.stream().anyMatch(entry -> names.stream().anyMatch(entry.format()::isPart));
    return some
        ? find(folder).filter(entry -> names.stream().anyMatch(entry.format()::isPart))
        : Optional.empty();
  }

  /** What a format proposes for files that may be a dataset. */
  public record Proposed(DatasetFormat format, ArrayProposals proposals) {}

  /**
   * Returns what the first format proposes that proposes something.
   *
   * @param first the format that is asked first; null for none
   */
  public Optional<Proposed> propose(Location location, @Nullable DatasetFormat first)
      throws IOException {
    List<DatasetFormat> asked = new ArrayList<>();
    if (first != null) {
      asked.add(first);
    }
    entries.stream().map(Entry::format).filter(format -> format != first).forEach(asked::add);
    for (DatasetFormat format : asked) {
      try {
        Optional<ArrayProposals> found = format.propose(location);
        if (found.isPresent()) {
          return Optional.of(new Proposed(format, found.get()));
        }
      } catch (FormatException e) {
        // another format may read other files, and the error of reading these is reported
      }
    }
    return Optional.empty();
  }

  /** The format that a location resembles most. */
  private record Match(Entry entry, FormatEvidence evidence) {}

  private Optional<Match> best(Location location) throws IOException {
    Match best = null;
    for (Entry entry : entries) {
      FormatEvidence evidence = entry.format().detect(location);
      if (evidence.compareTo(best == null ? FormatEvidence.NONE : best.evidence()) > 0) {
        best = new Match(entry, evidence);
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
    if (!sidecar && entries.stream().noneMatch(entry -> entry.format().isPart(name))) {
      return;
    }
    Optional<Entry> dataset = find(Location.of(folder));
    if (dataset.isPresent() && (sidecar || dataset.get().format().isPart(name))) {
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

  /** Returns all keys of this project. */
  public Set<SettingKey<?>> keys() {
    Set<SettingKey<?>> keys = new LinkedHashSet<>(InputKeys.all());
    entries.forEach(entry -> keys.addAll(entry.format().readingKeys()));
    keys.addAll(OutputKeys.all());
    keys.addAll(writingKeys());
    keys.addAll(ConversionKeys.all());
    keys.addAll(PlanningKeys.all());
    keys.addAll(ContactKeys.all());
    keys.addAll(DigestKeys.all());
    return keys;
  }

  @Override
  public Set<SettingKey<?>> writingKeys() {
    return writable().stream()
        .flatMap(entry -> entry.writing().writingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<ProvenanceDocuments> documents() {
    return entries.stream().flatMap(entry -> entry.format().provenance().stream()).toList();
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
  public Provenance shuffle(
      Geometry shuffled, OptionalInt clsTokens, String order, Provenance provenance)
      throws FormatException {
    Provenance changed = provenance;
    for (ProvenanceDocuments documents : documents()) {
      changed = documents.shuffle(shuffled, clsTokens, order, changed);
    }
    return changed;
  }
}
