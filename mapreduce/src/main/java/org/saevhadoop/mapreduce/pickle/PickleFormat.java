package org.saevhadoop.mapreduce.pickle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.pickle.PickleKeys.Container;
import org.saevhadoop.mapreduce.pickle.PickleKeys.Ids;
import org.saevhadoop.mapreduce.spi.ConversionSource;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.ModelName;
import org.saevhadoop.mapreduce.spi.PreparedWrite;
import org.saevhadoop.mapreduce.spi.RecordedArrays;
import org.saevhadoop.mapreduce.spi.ReportSink;
import org.saevhadoop.mapreduce.spi.StreamAccess;
import org.saevhadoop.mapreduce.spi.WholeSource;
import org.saevhadoop.mapreduce.spi.WriteContext;

/**
 * The format of pickled activation shards: a folder of shards, a folder whose subfolders contain
 * the shards of one machine each, or a single shard.
 */
public final class PickleFormat implements DatasetFormat {
  static final String NAME = "pickle";

  private static final Pattern SHARD = Pattern.compile(".*\\.(pkl|pickle)(\\.gz)?");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String expected() {
    return "shard_*.pkl.gz";
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile()) {
      return SHARD.matcher(location.file()).matches() ? FormatEvidence.STRONG : FormatEvidence.NONE;
    }
    if (location.files().keySet().stream().anyMatch(ShardFiles::isShard)) {
      return FormatEvidence.CERTAIN;
    }
    return ShardFiles.areIn(location.folder()) ? FormatEvidence.FAIR : FormatEvidence.NONE;
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return PickleKeys.reading();
  }

  @Override
  public List<SettingKey<?>> writingKeys() {
    return PickleKeys.writing();
  }

  @Override
  public void checkSettings(Settings settings) {
    if (settings.get(PickleKeys.CONTAINER) == Container.NONE && settings.isSet(PickleKeys.LEVEL)) {
      throw new SettingException(
          settings.nameOf(PickleKeys.CONTAINER) + " excludes " + settings.nameOf(PickleKeys.LEVEL));
    }
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    throw DatasetError.UNSUPPORTED.in(
        location.path(), "contains pickled shards, which must be staged before random access");
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new PickleStream());
  }

  @Override
  public Optional<RecordedArrays> recordedArrays() {
    return Optional.of(
        (location, settings, digests, visitor, warnings) ->
            new PickleListing(ShardLocations.files(location), digests, visitor)
                .run(warnings, misfit -> warnings.accept(misfit.getMessage())));
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    if (sink.wantsDigests()) {
      throw new SettingException(
          "--digests is for files and models (list --digests for a dataset)");
    }
    sink.report(
        PickleReport.of(
            ShardLocations.files(location), settings.get(PickleKeys.SAMPLE_IDS) == Ids.DIRECTORY));
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(PickleKeys.SHARD_MB);
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    ShardFiles shards = ShardLocations.files(folder);
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

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    List<FormatException> problems = new ArrayList<>();
    try {
      problems.addAll(
          new PickleListing(ShardLocations.files(location), false, array -> {})
              .run(warnings, problems::add));
    } catch (FormatException e) {
      problems.add(e);
    }
    return problems;
  }

  @Override
  public Optional<ModelName> model(Provenance provenance) {
    return provenance
        .document(ExtractionText.DOCUMENT)
        .flatMap(ExtractionText::config)
        .map(
            config ->
                new ModelName(text(config, "model_architecture"), text(config, "model_name")));
  }

  private static String text(ObjectNode config, String field) {
    JsonNode value = config.path(field);
    return value.isTextual() && !value.asText().isEmpty() ? value.asText() : null;
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values()).filter(PickleWriter::holds).collect(Collectors.toSet());
  }

  /**
   * With sample metadata, each array is written in the type that the metadata of its sample states.
   */
  @Override
  public boolean keepsStoredTypes(boolean samples) {
    return samples;
  }

  @Override
  public PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException {
    return PickleWriting.prepare(source, settings);
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    return PickleWriting.write(settings, context);
  }
}
