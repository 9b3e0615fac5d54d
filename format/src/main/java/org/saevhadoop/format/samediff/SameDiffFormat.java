package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.format.ArrayCheck;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.container.ContainerFiles;
import org.saevhadoop.format.samediff.container.ContainerFolder;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.dataset.SameDiffArrays;
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
 * with compressed entries is read as a stream.
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

  /**
   * Reads the first bytes of a single file whose name is not conclusive, and the entries of a ZIP
   * file.
   */
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
  public boolean isArrayFile(String file) {
    return ContainerFolder.isContainer(file);
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return SameDiffKeys.READING;
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return new SameDiffReading(settings, provenance).open(location);
  }

  @Override
  public Settings forTasks(TableDataset opened, Settings settings) {
    return ArrayKeys.forTasks(opened, settings);
  }

  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    return ArrayProposals.of(
        location.isFile() ? location : Location.of(new ContainerFolder(location.folder())),
        List.of(new Variant(new SameDiffArrays(true), false, Set.of())));
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
    SameDiffReading reading = new SameDiffReading(settings, provenance);
    if (reading.isFolderOfArrays(location)) {
      sink.report(ArrayFormat.report(this, reading.folder(location)));
      return;
    }
    SameDiffContainer container = SameDiffContainer.read(location);
    sink.tensors(
        new ArrayListing(
            container, activations(reading, location, container), sink.wantsDigests()));
  }

  private static @Nullable Geometry activations(
      SameDiffReading reading, Location location, SameDiffContainer container) throws IOException {
    try {
      return reading.open(location, container).requireActivations().geometry();
    } catch (FormatException e) {
      return null; // the arrays of any container can be listed
    }
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    SameDiffReading reading = new SameDiffReading(settings, provenance);
    return reading.isFolderOfArrays(location)
        ? ArrayCheck.problems(
            Location.of(new ContainerFolder(location.folder())),
            new SameDiffArrays(false),
            ArrayKeys.options(settings),
            warnings)
        : new ContainerScan(location, reading).run(warnings);
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new SameDiffWriting());
  }
}
