package org.saevhadoop.mapreduce.samediff;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerFiles;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.dataset.SameDiffOptions;
import org.saevhadoop.format.samediff.dataset.SameDiffTable;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.job.TensorKeys;
import org.saevhadoop.mapreduce.spi.ConversionSource;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.NamedTensors;
import org.saevhadoop.mapreduce.spi.PreparedWrite;
import org.saevhadoop.mapreduce.spi.ReportSink;
import org.saevhadoop.mapreduce.spi.StreamAccess;
import org.saevhadoop.mapreduce.spi.WholeSource;
import org.saevhadoop.mapreduce.spi.WriteContext;

/**
 * The format of SameDiff containers: an SDNB file, the shards of one, or an SDZ file. An SDZ file
 * with compressed entries is a stream.
 */
public final class SameDiffFormat implements DatasetFormat {
  @Override
  public String name() {
    return "samediff";
  }

  @Override
  public String expected() {
    return "*.sdnb, *.sdz";
  }

  /** Reads the first bytes of a single file whose name says nothing. */
  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (!location.isFile()) {
      return location.files().keySet().stream().anyMatch(ContainerFiles::isNamed)
          ? FormatEvidence.CERTAIN
          : FormatEvidence.NONE;
    }
    if (ContainerFiles.isNamed(location.file())) {
      return FormatEvidence.CERTAIN;
    }
    return switch (ContainerFiles.magic(location.folder(), location.file())) {
      case SDNB -> FormatEvidence.CERTAIN;
      case ZIP -> FormatEvidence.FAIR;
      case OTHER -> FormatEvidence.NONE;
    };
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return SameDiffKeys.reading();
  }

  @Override
  public List<SettingKey<?>> writingKeys() {
    return SameDiffKeys.writing();
  }

  @Override
  public void checkSettings(Settings settings) {
    for (SettingKey<?> key : List.of(SameDiffKeys.DEFLATE, SameDiffKeys.LEVEL)) {
      if (settings.isSet(key)
          && settings.get(SameDiffKeys.CONTAINER) != SameDiffKeys.Container.SDZ) {
        throw new SettingException(settings.nameOf(key) + " needs --container sdz");
      }
    }
    if (settings.isSet(SameDiffKeys.LEVEL) && !settings.get(SameDiffKeys.DEFLATE)) {
      throw new SettingException(settings.nameOf(SameDiffKeys.LEVEL) + " needs --deflate");
    }
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    SameDiffContainer container = SameDiffContainer.read(location);
    DatasetError.UNSUPPORTED.check(
        !container.isDeflated(),
        location.path(),
        "has compressed entries, which must be staged before random access (expected stored ones)");
    return open(container, new SameDiffOptions(TensorKeys.mappings(settings), provenance, null));
  }

  /** Opens a container as activations if its columns are layers, and otherwise as a table. */
  static TableDataset open(SameDiffContainer container, SameDiffOptions options)
      throws FormatException {
    SameDiffTable table = SameDiffTable.of(container, options);
    if (!options.mappings().isEmpty()) {
      return table.requireActivations();
    }
    try {
      return table.requireActivations();
    } catch (FormatException e) {
      // callers that need activations get this exception when they request them
      return table;
    }
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new SameDiffStream());
  }

  @Override
  public boolean isStream(Location location) throws IOException {
    return SameDiffContainer.parts(location).stream().anyMatch(ContainerPart::isDeflated);
  }

  @Override
  public Optional<NamedTensors> namedTensors() {
    return Optional.of(new SameDiffTensors());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    sink.tensors(new ArrayListing(SameDiffContainer.read(location), sink.wantsDigests()));
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SameDiffKeys.MAX_SHARD_BYTES);
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    Set<String> files = new HashSet<>();
    SameDiffContainer.read(folder).parts().forEach(part -> files.add(part.file()));
    return files;
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    return new ContainerScan(
            location, new SameDiffOptions(TensorKeys.mappings(settings), provenance, null))
        .run(warnings);
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values())
        .filter(dtype -> SdnbType.of(dtype).isPresent())
        .collect(Collectors.toSet());
  }

  @Override
  public boolean keepsStoredTypes(boolean samples) {
    return true;
  }

  @Override
  public PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException {
    return SameDiffWriting.prepare(source, settings);
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    checkSettings(settings); // jobs that users write have no command line that does so
    return SameDiffWriting.write(settings, context);
  }
}
