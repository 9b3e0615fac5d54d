package org.saevhadoop.format.pickleshards;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.LayerNames;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.gzip.BgzfOutput;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.pickleshards.PickleKeys.Container;
import org.saevhadoop.format.pickleshards.PickleKeys.Numbers;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.write.PickleWritePlan;
import org.saevhadoop.format.pickleshards.write.RestoredIds;
import org.saevhadoop.format.pickleshards.write.SampleOrigin;
import org.saevhadoop.format.pickleshards.write.ShardForm;
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

/** Writes pickled shards as specified by the settings. */
final class PickleWriting implements DatasetWriting {
  private static final long MB = 1_000_000;

  @Override
  public List<SettingKey<?>> writingKeys() {
    return PickleKeys.WRITING;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(PickleKeys.SHARD_MB);
  }

  @Override
  public void checkSettings(Settings settings) {
    if (settings.get(PickleKeys.CONTAINER) == Container.NONE && settings.isSet(PickleKeys.LEVEL)) {
      throw new SettingException(
          settings.nameOf(PickleKeys.CONTAINER) + " excludes " + settings.nameOf(PickleKeys.LEVEL));
    }
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values()).filter(PickleWriter::holds).collect(Collectors.toSet());
  }

  @Override
  public Optional<String> readers(Settings settings) {
    return Optional.of(
        settings.get(PickleKeys.DIALECT) == Form.SPEC
            ? "dialect spec is read by the loader of the specification; activation-extract's own"
                + " programs find no samples in it and need --dialect real"
            : "dialect real is read by activation-extract's own programs; the loader of the"
                + " specification needs --dialect spec");
  }

  /**
   * With sample metadata, each array is written in the type that the metadata of its sample states.
   */
  @Override
  public boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return samples;
  }

  @Override
  public PreparedWrite prepare(ConversionSource source, Settings asked, @Nullable WholeSource whole)
      throws IOException {
    ActivationDataset dataset = source.dataset().requireActivations();
    checkOneType(source);
    Settings settings =
        asked
            .with(PickleKeys.SOURCE, source.path())
            .with(PickleKeys.SOURCE_FORMAT, source.format());
    long megabytes = (source.fullFileBytes() - 1) / MB + 1;
    if (source.fileBytes() > 0
        && megabytes < Objects.requireNonNull(PickleKeys.SHARD_MB.defaultValue())) {
      settings = settings.with(PickleKeys.SHARD_MB, megabytes);
    }
    if (source.dtypesAsked()) {
      settings = settings.with(PickleKeys.DTYPE, Numbers.RECORD);
    }
    if (!settings.isSet(PickleKeys.CONFIG)) {
      String known = source.provenance().document(ExtractionText.DOCUMENT).orElse(null);
      ModelName model = source.model();
      if (known != null) {
        settings = settings.with(PickleKeys.CONFIG, known);
      } else if (model.family() != null || model.checkpoint() != null) {
        ObjectNode config = config(model, dataset.geometry());
        ExtractionConfig made = new ExtractionConfig(config, null, null, null);
        settings = settings.with(PickleKeys.CONFIG, ExtractionText.of(made));
      }
    }
    Optional<String> normalized = source.provenance().document(Provenance.NORMALIZATION);
    if (normalized.isPresent()) {
      String facts = settings.get(PickleKeys.CONFIG);
      settings =
          settings.with(PickleKeys.CONFIG, ExtractionText.normalized(facts, normalized.get()));
    }
    if (extraction(settings).created() == null) {
      // decided here, so that a verification yields the same document
      settings = settings.with(PickleKeys.CREATED, Instant.now());
    }
    List<String> losses = new ArrayList<>(LayerNames.losses(source.provenance()));
    if (source.samples()) {
      settings = restoring(dataset, settings, losses);
    }
    return new PreparedWrite(
        settings,
        source.provenance(),
        source.table().examples(),
        "",
        false,
        false,
        losses,
        List.of());
  }

  /** Returns settings with which samples have unique ids, and arrays one type. */
  private static Settings restoring(ActivationDataset dataset, Settings asked, List<String> losses)
      throws IOException {
    Settings settings = asked;
    RestoredIds restored = RestoredIds.of(dataset);
    if (!restored.areUnique()) {
      settings = settings.with(PickleKeys.NUMBERED, true);
      losses.add("a sample_idx occurs twice: each sample_idx becomes the number of its example");
    }
    if (!settings.isSet(PickleKeys.DTYPE) && !restored.areOfOneType()) {
      settings = settings.with(PickleKeys.DTYPE, Numbers.RECORD);
    }
    return settings;
  }

  private static void checkOneType(ConversionSource source) throws FormatException {
    List<DType> types =
        source.table().columns().stream().map(column -> column.dtype()).distinct().toList();
    DatasetError.NOT_CONVERTIBLE.check(
        types.size() == 1,
        source.dataset().path(),
        "would become layers of different types, %s (expected one: --dtype for all columns)",
        types);
  }

  private static ObjectNode config(ModelName model, Geometry geometry) {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    config.put("model_name", model.checkpoint());
    config.put("model_architecture", model.family());
    config.putObject("model_params").put("hidden_size", geometry.dim());
    config.put("dataset_name", "unknown");
    config.put("max_seq_length", geometry.tokens());
    return config;
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    Geometry geometry = context.geometry();
    if (geometry == null) {
      throw new SettingException(
          "neither saev.output.geometry nor saev.output.metadata is set (one must define the shape of"
              + " the dataset)");
    }
    PickleWritePlan plan =
        new PickleWritePlan(
            geometry, MB * settings.get(PickleKeys.SHARD_MB), form(settings), context.directory());
    return plan.write(
        context.sampleMetadata(),
        new SampleOrigin(settings.get(PickleKeys.SOURCE), settings.get(PickleKeys.SOURCE_FORMAT)),
        extraction(settings));
  }

  private static ExtractionConfig extraction(Settings settings) {
    return ExtractionText.parse(settings.get(PickleKeys.CONFIG), settings.get(PickleKeys.CREATED));
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    ShardFiles shards = ShardFiles.at(folder);
    ManifestClaims claims = ManifestClaims.of(shards);
    claims.checkFiles();
    claims.checkListed();
    Set<String> files = new HashSet<>(Set.of(ActivationManifest.FILE));
    for (ShardFile shard : shards.shards()) {
      shard.checkBeginning();
      files.add(shard.relativePath());
    }
    return files;
  }

  private static ShardForm form(Settings settings) {
    Container container = settings.get(PickleKeys.CONTAINER);
    Integer level = settings.get(PickleKeys.LEVEL).map(Long::intValue).orElse(null);
    return new ShardForm(
        settings.get(PickleKeys.DIALECT),
        settings.get(PickleKeys.PROTOCOL).intValue(),
        container == Container.NONE
            ? null
            : new BgzfOutput.Options(
                level, container == Container.SINGLE_MEMBER, BgzfOutput.Options.DEFAULT.threads()),
        settings.get(PickleKeys.DTYPE) == Numbers.ORIGINAL,
        settings.get(PickleKeys.NUMBERED));
  }
}
