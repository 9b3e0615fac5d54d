package org.saevhadoop.format;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrow.ArrowFormat;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.NpyFormat;
import org.saevhadoop.format.parquet.ParquetFormat;
import org.saevhadoop.format.pickleshards.PickleFormat;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.saev.SaevFormat;
import org.saevhadoop.format.safetensors.SafetensorsFormat;
import org.saevhadoop.format.samediff.SameDiffFormat;
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

/** A list of dataset formats. New formats are added to the {@linkplain #registry standard list}. */
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
              new ParquetFormat(),
              new ArrowFormat()));

  private final List<DatasetFormat> formats;
  private final FormatDetection detection;
  private final SettingKey<DatasetFormat> sourceFormat;

  /** Creates a registry of formats. */
  public DatasetFormats(List<DatasetFormat> formats) {
    this.formats = List.copyOf(formats);
    this.detection = new FormatDetection(this.formats);
    this.sourceFormat =
        SettingKey.of(
                "saev.input.format",
                SettingTypes.of(
                    String.join("|", names()),
                    NearestWord.or(names()),
                    this::parsed,
                    DatasetFormat::name),
                null,
                "The format of the source; files of other formats are not read. With several"
                    + " sources, it applies to the sources that have files of this format. By default"
                    + " the format is detected.")
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

  public SettingKey<DatasetFormat> sourceFormat() {
    return sourceFormat;
  }

  /** Returns the registry of the formats of this project. */
  public static DatasetFormats registry() {
    return STANDARD;
  }

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

  /** Returns the format with the given name, ignoring case, if there is one. */
  public Optional<DatasetFormat> named(String name) {
    return formats.stream().filter(format -> format.name().equalsIgnoreCase(name)).findFirst();
  }

  public List<String> names() {
    return formats.stream().map(DatasetFormat::name).toList();
  }

  /** The proposals of a format for files that may be a dataset. */
  public record Proposed(DatasetFormat format, ArrayProposals proposals) {}

  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format, or is a file inside a dataset; the
   *     message describes the content that was found
   */
  public DatasetFormat detect(Location location) throws IOException {
    return detection.detect(location);
  }

  /** Returns the format that a location resembles, if it resembles any. */
  public Optional<DatasetFormat> find(Location location) throws IOException {
    return find(location, FormatEvidence.WEAK);
  }

  /** Returns the format that a location resembles most, if there is enough evidence of it. */
  public Optional<DatasetFormat> find(Location location, FormatEvidence least) throws IOException {
    return detection.find(location, least);
  }

  /**
   * Returns the format of the dataset at a location if the name of a file there, such as a
   * document, identifies it as part of the dataset.
   */
  public Optional<DatasetFormat> documented(Location folder) throws IOException {
    return detection.documented(folder);
  }

  /**
   * Returns the proposals of the first format that has any, and of other formats that the location
   * resembles as much.
   *
   * @param first the format to try first; null for none
   * @param only the format that the user has named; null for any
   */
  public Optional<Proposed> propose(
      Location location, @Nullable DatasetFormat first, @Nullable DatasetFormat only)
      throws IOException {
    return detection.propose(location, first, only);
  }

  /**
   * Checks that a file or subfolder that is not a dataset itself is not part of a dataset in its
   * folder.
   *
   * @param name the name of the file or subfolder
   * @throws FormatException if it is part of a dataset; the message names the folder
   */
  public void refusePart(Folder folder, String name) throws IOException {
    detection.refusePart(folder, name);
  }

  /** Returns the reader for one-dimensional tensors in the format of statistics files. */
  public VectorTensors vectorTensors() {
    return formats.stream()
        .flatMap(format -> format.vectorTensors().stream())
        .findFirst()
        .orElseThrow();
  }

  public Set<SettingKey<?>> readingKeys() {
    return formats.stream()
        .flatMap(format -> format.readingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * Returns the writing keys of all formats, because provenance may need keys of another format.
   */
  public Set<SettingKey<?>> writingKeys() {
    return writable().stream()
        .flatMap(format -> format.writing().orElseThrow().writingKeys().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<ProvenanceDocuments> documents() {
    return formats.stream().flatMap(format -> format.provenance().stream()).toList();
  }

  /** A query on the provenance documents of one format. */
  @FunctionalInterface
  private interface Question<T> {
    Optional<T> ask(ProvenanceDocuments documents) throws FormatException;
  }

  /** Returns the answer of the first format that has one. */
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
    return changed.with(Provenance.NORMALIZATION, normalization);
  }
}
