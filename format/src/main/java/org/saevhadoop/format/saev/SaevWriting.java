package org.saevhadoop.format.saev;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;

/** Writes SAEV shards as defined by metadata and settings. */
final class SaevWriting implements DatasetWriting {
  @Override
  public List<SettingKey<?>> writingKeys() {
    return SaevKeys.WRITING;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SaevKeys.TOKENS_PER_SHARD);
  }

  @Override
  public Set<DType> writableTypes() {
    return Set.of(DType.F32);
  }

  @Override
  public Optional<String> unpaddedOption() {
    return Optional.of("--tail exact");
  }

  @Override
  public List<String> modelOptions(ModelName model) {
    return List.of(
        "--family", String.valueOf(model.family()), "--ckpt", String.valueOf(model.checkpoint()));
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
  public void checkBefore(String path, ModelName model, Settings settings) {
    SaevPreparation.model(path, model, settings);
  }

  @Override
  public PreparedWrite prepare(
      ConversionSource source, Settings settings, @Nullable WholeSource whole) throws IOException {
    return new SaevPreparation(source, settings, whole).prepare();
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    SaevMetadata metadata =
        SaevProvenance.metadata(context.provenance())
            .orElseThrow(
                () ->
                    new SettingException(
                        SaevKeys.METADATA + " is not set (expected the text of metadata.json)"));
    Optional<LabelSource> labels = context.labels(metadata.geometry());
    if (labels.isPresent()) {
      DatasetError.LABELS_MISMATCH.check(
          labels.get().patches() == metadata.patches(),
          labels.get().dataset().path(),
          "has labels for %d patches per example (expected %d, as in the metadata)",
          labels.get().patches(),
          metadata.patches());
    }
    return new SaevWritePlan(metadata, settings.get(SaevKeys.TAIL), labels.orElse(null))
        .write(context.sampleMetadata());
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    return SaevDataset.open(folder.folder()).fileNames();
  }
}
