package org.saevhadoop.format.saev;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.LayerNames;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.combined.Combination;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.metadata.MetadataField;
import org.saevhadoop.format.saev.metadata.NormalizedMetadata;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.saev.metadata.ShuffledMetadata;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.tensor.DType;

/** Determines the metadata.json of the SAEV shards that a conversion writes. */
final class SaevPreparation {
  private final ConversionSource source;
  private final Settings settings;
  private final @Nullable WholeSource whole;

  SaevPreparation(ConversionSource source, Settings settings, @Nullable WholeSource whole) {
    this.source = source;
    this.settings = sized(source, settings);
    this.whole = whole;
  }

  /**
   * Returns the settings with the smallest of three budgets: the budget for the default file size,
   * the budget for the whole dataset, and the default budget of saev; at least one example must
   * fit. The budget in the metadata of the source is kept, because it is a part of the identity of
   * the dataset.
   */
  private static Settings sized(ConversionSource source, Settings settings) {
    boolean known = source.provenance().document(SaevMetadata.DOCUMENT).isPresent();
    if (source.fileBytes() == 0 || known || !(source.dataset() instanceof ActivationDataset)) {
      return settings;
    }
    TableShape table = source.table();
    long vectors = table.columns().stream().mapToLong(column -> column.shape().get(0)).sum();
    long examples = Math.min(source.examplesPerFile(), table.examples());
    long budget = Math.min(SaevMetadata.DEFAULT_TOKENS_PER_SHARD, examples * vectors);
    return settings.with(SaevKeys.TOKENS_PER_SHARD, Math.max(Math.max(1, vectors), budget));
  }

  PreparedWrite prepare() throws IOException {
    ActivationDataset dataset = source.dataset().requireActivations();
    SaevMetadata metadata = metadata(dataset);
    boolean inShards = metadata.generation().liesInShardsFolder();
    String name = directory(metadata);
    List<String> changes = new ArrayList<>();
    if (metadata.patches() == 0) {
      changes.add(
          "no content tokens are left: saev's loaders read nothing or return wrong vectors");
    }
    if (source.model().equals(ModelName.ASSUMED)
        && !(settings.isSet(SaevKeys.FAMILY) && settings.isSet(SaevKeys.CHECKPOINT))) {
      changes.add("nothing names the model: it is recorded as unknown (--family, --ckpt)");
    }
    return new PreparedWrite(
        settings,
        SaevProvenance.with(metadata, source.provenance())
            .without(RowOrder.DOCUMENT)
            .without(Combination.SOURCES)
            .without(Provenance.NORMALIZATION),
        dataset.geometry().examples(),
        inShards ? SaevFormat.SHARDS_FOLDER + "/" + name : name,
        false,
        true,
        LayerNames.losses(source.provenance()),
        changes);
  }

  /**
   * Returns the name of the folder: the hash of the metadata, or the recorded name if the metadata
   * is unchanged, because that name can differ from the hash.
   */
  private String directory(SaevMetadata metadata) {
    Provenance provenance = source.provenance();
    return provenance
        .document(SaevMetadata.DIRECTORY_DOCUMENT)
        // provenance in a file of another program can contain any text
        .filter(SaevMetadata::looksLikeHash)
        .filter(
            name ->
                provenance
                    .document(SaevMetadata.DOCUMENT)
                    .equals(Optional.of(SaevProvenance.text(metadata))))
        .orElse(metadata.hash());
  }

  /**
   * Returns the metadata. The selection is recorded last, because its record encloses the data
   * description that the user gives.
   */
  private SaevMetadata metadata(ActivationDataset dataset) throws IOException {
    ActivationDataset all = whole == null ? dataset : whole.dataset().requireActivations();
    Provenance provenance = whole == null ? source.provenance() : whole.provenance();
    Optional<SaevMetadata> known = SaevProvenance.metadata(provenance);
    SaevMetadata metadata = known.isPresent() ? known.get() : created(all);
    SaevMetadata changed = asSet(metadata);
    if (whole != null) {
      String parent =
          known.isPresent() ? SaevProvenance.hash(provenance, metadata) : whole.digest().get();
      changed = changed.select(SaevProvenance.selection(all, whole.part(), parent));
    }
    changed = changed.withGeometry(dataset.geometry().as(DType.F32));
    return settings.isSet(SaevKeys.TOKENS_PER_SHARD)
        ? changed.withTokensPerShard(settings.get(SaevKeys.TOKENS_PER_SHARD))
        : changed;
  }

  private SaevMetadata asSet(SaevMetadata metadata) throws IOException {
    SaevMetadata changed = metadata;
    if (settings.isSet(SaevKeys.PROTOCOL)) {
      changed = changed.to(settings.get(SaevKeys.PROTOCOL));
    }
    if (settings.isSet(SaevKeys.FAMILY)) {
      changed = changed.with(MetadataField.FAMILY, settings.get(SaevKeys.FAMILY));
    }
    if (settings.isSet(SaevKeys.CHECKPOINT)) {
      changed = changed.with(MetadataField.CKPT, settings.get(SaevKeys.CHECKPOINT));
    }
    if (settings.isSet(SaevKeys.DATA)) {
      String file = settings.get(SaevKeys.DATA);
      changed = changed.withData(file, described(data(file)));
    }
    return changed;
  }

  private static byte[] data(String file) throws IOException {
    long length = Files.size(Path.of(file));
    FileError.TOO_LARGE.check(
        length <= SaevMetadata.MAX_BYTES,
        file,
        "%d bytes are too many for this document (expected at most %d)",
        length,
        SaevMetadata.MAX_BYTES);
    byte[] text = Files.readAllBytes(Path.of(file));
    SaevMetadata.LIMITS.check(file, text);
    return text;
  }

  /**
   * Returns a description of data, with the sources, the normalization of the values and the order
   * of the rows, if they are recorded.
   */
  private byte[] described(byte[] data) throws FormatException {
    byte[] described = data;
    Optional<String> sources = source.provenance().document(Combination.SOURCES);
    if (sources.isPresent()) {
      described = ShuffledMetadata.describe(ShuffledMetadata.SOURCES, sources.get(), described);
    }
    Optional<String> normalized = source.provenance().document(Provenance.NORMALIZATION);
    if (normalized.isPresent()) {
      described = NormalizedMetadata.describe(normalized.get(), described);
    }
    Optional<String> order = source.provenance().document(RowOrder.DOCUMENT);
    return order.isPresent()
        ? ShuffledMetadata.describe(ShuffledMetadata.SHUFFLE, order.get(), described)
        : described;
  }

  private SaevMetadata created(ActivationDataset all) throws IOException {
    ModelName model = model(source.path(), source.model(), settings);
    String file = settings.get(SaevKeys.DATA);
    byte[] described = described(file == null ? "{}".getBytes(StandardCharsets.UTF_8) : data(file));
    if (settings.get(SaevKeys.CLS) && source.settings().get(ArrayKeys.RAGGED).isFlattening()) {
      throw new SettingException(
          "%s and %s flatten exclude each other: each token becomes an example (expected one of"
                  .formatted(
                      settings.nameOf(SaevKeys.CLS), source.settings().nameOf(ArrayKeys.RAGGED))
              + " them)");
    }
    boolean cls = all.activations().clsTokens().orElse(settings.get(SaevKeys.CLS) ? 1 : 0) == 1;
    return SaevMetadata.create(
        settings.isSet(SaevKeys.PROTOCOL)
            ? settings.get(SaevKeys.PROTOCOL)
            : ProtocolGeneration.DEFAULT,
        all.geometry().as(DType.F32),
        cls,
        Objects.requireNonNull(model.family()),
        Objects.requireNonNull(model.checkpoint()),
        described);
  }

  /**
   * Returns the model of activations that have no SAEV metadata.
   *
   * @throws SettingException if neither the settings nor the source names the model
   */
  static ModelName model(String path, ModelName known, Settings settings) {
    ModelName model =
        new ModelName(settings.get(SaevKeys.FAMILY), settings.get(SaevKeys.CHECKPOINT)).or(known);
    if (model.family() == null || model.checkpoint() == null) {
      throw new SettingException(
          path
              + ": carries no SAEV metadata (expected --family and --ckpt, which name the model:"
              + " --family unknown --ckpt unknown records an unknown one)");
    }
    return model;
  }
}
