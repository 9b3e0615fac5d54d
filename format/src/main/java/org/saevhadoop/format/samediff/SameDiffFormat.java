package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.format.TensorKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerFiles;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.dataset.SameDiffOptions;
import org.saevhadoop.format.samediff.dataset.SameDiffTable;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.tensor.DType;

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

  @Override
  public @Nullable String storedName(DType dtype) {
    return SdnbType.of(dtype).map(SdnbType::name).orElse(null);
  }

  /** Reads the first bytes of a single file whose name shows nothing, and the entries of a ZIP. */
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
    Folder folder = location.folder();
    return switch (ContainerFiles.magic(folder, location.file())) {
      case SDNB -> FormatEvidence.CERTAIN;
      case ZIP ->
          ContainerFiles.isSdz(folder, location.file()) ? FormatEvidence.FAIR : FormatEvidence.NONE;
      case OTHER -> FormatEvidence.NONE;
    };
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return SameDiffKeys.READING;
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
    return options.mappings().isEmpty() ? table.asActivations() : table.requireActivations();
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new SameDiffStream());
  }

  @Override
  public Optional<NamedTensors> namedTensors() {
    return Optional.of(new SameDiffTensors());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    SameDiffContainer container = SameDiffContainer.read(location);
    sink.tensors(
        new ArrayListing(
            container,
            activations(
                container, new SameDiffOptions(TensorKeys.mappings(settings), provenance, null)),
            sink.wantsDigests()));
  }

  private static @Nullable Geometry activations(
      SameDiffContainer container, SameDiffOptions options) {
    try {
      return open(container, options).requireActivations().geometry();
    } catch (FormatException e) {
      return null; // the arrays of any container can be listed
    }
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
  public Optional<DatasetWriting> writing() {
    return Optional.of(new SameDiffWriting());
  }
}
