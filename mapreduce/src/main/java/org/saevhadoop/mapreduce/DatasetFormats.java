package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.InputFormat;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.Projection;
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

/** A list of dataset formats. A new format is added to the {@linkplain #registry standard one}. */
public final class DatasetFormats implements FormatRegistry {
  /**
   * A format and its Hadoop classes.
   *
   * @param input the class that reads its files: blocks, or the arrays of files that are streams
   * @param output the class that writes it; null if it can only be read
   */
  public record Entry(
      DatasetFormat format,
      Class<? extends InputFormat<ActivationKey, ActivationWritable>> input,
      Class<? extends ActivationOutputFormat> output) {
    public Entry {
      if (format.writing().isPresent() != (output != null)) {
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
  }

  private static final DatasetFormats STANDARD =
      new DatasetFormats(
          List.of(
              new Entry(new SaevFormat(), SaevInputFormat.class, SaevOutputFormat.class),
              new Entry(
                  new SafetensorsFormat(),
                  SafetensorsInputFormat.class,
                  SafetensorsOutputFormat.class),
              new Entry(
                  new PickleFormat(),
                  ActivationPickleInputFormat.class,
                  ActivationPickleOutputFormat.class),
              new Entry(
                  new SameDiffFormat(), SameDiffInputFormat.class, SameDiffOutputFormat.class)));

  private static final int MAX_HINTS = 3;

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
   * @throws FormatException if the location matches no format
   */
  public Entry detect(Location location) throws IOException {
    Entry best = null;
    FormatEvidence most = FormatEvidence.NONE;
    for (Entry entry : entries) {
      FormatEvidence evidence = entry.format().detect(location);
      if (evidence.compareTo(most) > 0) {
        best = entry;
        most = evidence;
      }
    }
    if (best != null) {
      return best;
    }
    String expected =
        entries.stream().map(entry -> entry.format().expected()).collect(Collectors.joining(", "));
    List<String> below = below(location);
    throw DatasetError.UNKNOWN_FORMAT.in(
        location.path(),
        "has an unknown format (expected %s%s)",
        expected,
        below.isEmpty() ? "" : "; there are datasets below it: " + below);
  }

  /** Returns paths of datasets in a folder that is not a dataset itself, for an error message. */
  private List<String> below(Location location) throws IOException {
    List<String> found = new ArrayList<>();
    if (!location.isFile()) {
      for (Entry entry : entries) {
        for (String path : entry.format().findBelow(location)) {
          if (found.size() < MAX_HINTS && !found.contains(path)) {
            found.add(path);
          }
        }
      }
    }
    return found;
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
}
