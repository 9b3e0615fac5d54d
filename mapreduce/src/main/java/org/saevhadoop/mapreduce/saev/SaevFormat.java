package org.saevhadoop.mapreduce.saev;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.saev.SaevCheck;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.format.saev.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.spi.ConversionSource;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.ModelName;
import org.saevhadoop.mapreduce.spi.PreparedWrite;
import org.saevhadoop.mapreduce.spi.ReportSink;
import org.saevhadoop.mapreduce.spi.WholeSource;
import org.saevhadoop.mapreduce.spi.WriteContext;

/**
 * The format of SAEV shards: a folder that contains metadata.json and is named by the hash of that
 * document.
 */
public final class SaevFormat implements DatasetFormat {
  /** The folder in which readers of protocol 2.x look for datasets. */
  static final String SHARDS_FOLDER = "saev/shards";

  @Override
  public String name() {
    return "saev";
  }

  @Override
  public String expected() {
    return SaevMetadata.FILE;
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile() || !location.files().containsKey(SaevMetadata.FILE)) {
      return FormatEvidence.NONE;
    }
    // folders of other formats may contain a document with this name
    return location.files().size() == 1 ? FormatEvidence.WEAK : FormatEvidence.STRONG;
  }

  @Override
  public List<String> findBelow(Location folder) throws IOException {
    List<String> found = new ArrayList<>(datasetsIn(folder.folder(), ""));
    Optional<Folder> saev = folder.folder().folder("saev");
    Optional<Folder> shards = saev.isPresent() ? saev.get().folder("shards") : Optional.empty();
    if (shards.isPresent()) {
      found.addAll(datasetsIn(shards.get(), SHARDS_FOLDER + "/"));
    }
    return found;
  }

  private static List<String> datasetsIn(Folder folder, String prefix) throws IOException {
    List<String> found = new ArrayList<>();
    SortedSet<String> names = folder.folders();
    for (String name : names) {
      Optional<Folder> below = folder.folder(name);
      if (below.isPresent() && below.get().files().containsKey(SaevMetadata.FILE)) {
        found.add(prefix + name);
      }
    }
    return found;
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return List.of();
  }

  @Override
  public List<SettingKey<?>> writingKeys() {
    return SaevKeys.writing();
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    FileError.NOT_A_FOLDER.check(
        !location.isFile(), location.path(), "is a file (expected a folder of SAEV shards)");
    return location.isChecked()
        ? SaevDataset.openChecked(location.folder())
        : SaevDataset.open(location.folder());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    SaevReport.describe(SaevDataset.inspect(location.folder()), sink);
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SaevKeys.TOKENS_PER_SHARD);
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    return SaevDataset.open(folder.folder()).fileNames();
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    SaevCheck check = SaevCheck.of(location.folder());
    check.warnings().forEach(warnings);
    List<FormatException> problems = new ArrayList<>(check.problems());
    if (problems.isEmpty()) {
      problems.addAll(SampleMetadataCheck.problems(SaevDataset.open(location.folder())));
    }
    return problems;
  }

  private static Optional<SaevMetadata> metadata(Provenance provenance) throws FormatException {
    Optional<String> text = provenance.document(SaevMetadata.DOCUMENT);
    return text.isPresent() ? Optional.of(SaevMetadataText.parse(text.get())) : Optional.empty();
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
  public Optional<ModelName> model(Provenance provenance) throws FormatException {
    return metadata(provenance)
        .map(metadata -> new ModelName(metadata.family(), metadata.checkpoint()));
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
    return SaevProjection.select(whole, part, provenance);
  }

  @Override
  public Set<DType> writableTypes() {
    return Set.of(DType.F32);
  }

  @Override
  public boolean recordsSelections() {
    return true;
  }

  @Override
  public boolean writesBelow() {
    return true;
  }

  @Override
  public void checkBefore(String path, ModelName model, Settings settings) throws FormatException {
    SaevPreparation.model(path, model, settings);
  }

  @Override
  public PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException {
    return new SaevPreparation(source, settings, whole).prepare();
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    SaevMetadata metadata =
        metadata(context.provenance())
            .orElseThrow(
                () ->
                    new SettingException(
                        SaevKeys.METADATA + " is not set (expected the text of metadata.json)"));
    Optional<LabelSource> labels = context.labels(metadata.geometry());
    if (labels.isPresent()) {
      DatasetError.LABELS_MISMATCH.check(
          labels.get().patches() == metadata.patches(),
          labels.get().dataset().folder().path(),
          "has labels of %d patches an example (expected %d, as the metadata says)",
          labels.get().patches(),
          metadata.patches());
    }
    return new SaevWritePlan(metadata, settings.get(SaevKeys.TAIL), labels.orElse(null))
        .write(context.attributes());
  }
}
