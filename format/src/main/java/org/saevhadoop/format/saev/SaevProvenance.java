package org.saevhadoop.format.saev;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.saev.metadata.MergedMetadata;
import org.saevhadoop.format.saev.metadata.NormalizedMetadata;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.saev.metadata.SaevSelection;
import org.saevhadoop.format.saev.metadata.ShuffledMetadata;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ProvenanceDocuments;
import org.saevhadoop.format.tensor.DType;

/** Interprets metadata.json in provenance, and derives the metadata of a part of a dataset. */
final class SaevProvenance implements ProvenanceDocuments {
  static Optional<SaevMetadata> metadata(Provenance provenance) throws FormatException {
    Optional<String> text = provenance.document(SaevMetadata.DOCUMENT);
    return text.isPresent()
        ? Optional.of(
            SaevMetadata.parse("SAEV metadata", text.get().getBytes(StandardCharsets.UTF_8)))
        : Optional.empty();
  }

  static String text(SaevMetadata metadata) {
    return new String(metadata.text(), StandardCharsets.UTF_8);
  }

  /**
   * Returns provenance with the given metadata and without a recorded folder name, so that the
   * folder is named by the hash of the metadata.
   */
  static Provenance with(SaevMetadata metadata, Provenance provenance) {
    return provenance
        .with(SaevMetadata.DOCUMENT, text(metadata))
        .without(SaevMetadata.DIRECTORY_DOCUMENT);
  }

  @Override
  public OptionalInt clsTokens(Provenance provenance) throws FormatException {
    Optional<SaevMetadata> metadata = metadata(provenance);
    return metadata.isPresent()
        ? OptionalInt.of(metadata.get().clsToken() ? 1 : 0)
        : OptionalInt.empty();
  }

  @Override
  public Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return metadata(provenance)
        .map(metadata -> new DatasetIdentity(metadata.protocol(), metadata.hash()));
  }

  @Override
  public Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    return metadata(provenance).map(SaevMetadata::geometry);
  }

  @Override
  public ModelName model(Provenance provenance) throws FormatException {
    return metadata(provenance)
        .map(metadata -> new ModelName(metadata.family(), metadata.checkpoint()))
        .orElse(ModelName.UNKNOWN);
  }

  @Override
  public Provenance provenance(Settings settings) {
    Provenance provenance = Provenance.NONE;
    if (settings.isSet(SaevKeys.METADATA)) {
      provenance = provenance.with(SaevMetadata.DOCUMENT, settings.get(SaevKeys.METADATA));
    }
    return settings.isSet(SaevKeys.DIRECTORY)
        ? provenance.with(SaevMetadata.DIRECTORY_DOCUMENT, settings.get(SaevKeys.DIRECTORY))
        : provenance;
  }

  @Override
  public Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    Optional<SaevMetadata> metadata = metadata(provenance);
    if (metadata.isEmpty()) {
      return provenance;
    }
    String parent = hash(provenance, metadata.get());
    return with(metadata.get().select(selection(whole, part, parent)), provenance);
  }

  /** {@inheritDoc} The budget corresponds to files of the default size. */
  @Override
  public Provenance shuffle(
      Geometry shuffled, OptionalInt clsTokens, String order, Provenance provenance)
      throws FormatException {
    Optional<SaevMetadata> metadata = metadata(provenance);
    if (metadata.isEmpty()) {
      return provenance;
    }
    TableShape table = shuffled.table();
    long tokens = (long) shuffled.layers().size() * shuffled.tokens();
    long examples = (ConversionSource.defaultFileBytes(table) - 1) / table.exampleBytes() + 1;
    boolean cls = clsTokens.orElse(0) == 1;
    return with(
        ShuffledMetadata.of(
            metadata.get(),
            shuffled.as(DType.F32),
            cls,
            order,
            tokens * Math.min(examples, Math.max(1, shuffled.examples()))),
        provenance);
  }

  @Override
  public Provenance combine(Geometry combined, List<Origin> sources, Provenance provenance)
      throws FormatException {
    Optional<SaevMetadata> metadata = metadata(provenance);
    if (metadata.isEmpty()) {
      return provenance;
    }
    List<MergedMetadata.Source> merged = new ArrayList<>();
    for (Origin source : sources) {
      SaevMetadata own = metadata(source.provenance()).orElse(null);
      merged.add(new MergedMetadata.Source(source.hash(), source.examples(), own));
    }
    return with(MergedMetadata.of(metadata.get(), combined.as(DType.F32), merged), provenance);
  }

  @Override
  public Provenance normalize(String normalization, Provenance provenance) throws FormatException {
    Optional<SaevMetadata> metadata = metadata(provenance);
    return metadata.isPresent()
        ? with(NormalizedMetadata.of(metadata.get(), normalization), provenance)
        : provenance;
  }

  /**
   * Returns the hash that identifies a dataset: the recorded name of its folder or, if none is
   * recorded, the hash of its metadata.
   */
  static String hash(Provenance provenance, SaevMetadata metadata) {
    return provenance.document(SaevMetadata.DIRECTORY_DOCUMENT).orElse(metadata.hash());
  }

  /** Returns the selection in the form in which it is recorded in metadata. */
  static SaevSelection selection(ActivationDataset whole, Projection part, String parent) {
    List<Integer> layers = part.columns().stream().map(whole.geometry().layers()::get).toList();
    return new SaevSelection(layers, part.examples(), part.tokens(), parent);
  }
}
