package org.saevhadoop.format.saev;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.saev.directory.SaevCheck;
import org.saevhadoop.format.saev.directory.SaevDataset;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ProvenanceDocuments;
import org.saevhadoop.format.spi.ReportSink;

/**
 * The format of SAEV shards: a folder that contains metadata.json and whose name is the hash of
 * that document.
 */
public final class SaevFormat implements DatasetFormat {
  static final String NAME = "saev";

  /** The folder in which readers of protocol 2.x look for datasets. */
  static final String SHARDS_FOLDER = "saev/shards";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String expected() {
    return SaevMetadata.FILE + " from saev";
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile() || !location.files().containsKey(SaevMetadata.FILE)) {
      return FormatEvidence.NONE;
    }
    boolean hasShards = location.files().keySet().stream().anyMatch(SaevDataset::isShard);
    if (!hasShards && !SaevMetadata.isIn(location.folder())) {
      return FormatEvidence.NONE; // a document of another program
    }
    // folders of other formats may contain a document with this name
    return location.files().size() == 1 ? FormatEvidence.WEAK : FormatEvidence.STRONG;
  }

  @Override
  public boolean isPart(String file) {
    return SaevDataset.isPart(file);
  }

  @Override
  public Optional<String> standardFolder() {
    return Optional.of(SHARDS_FOLDER);
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return List.of();
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

  @Override
  public Optional<FileMerge> merging() {
    return Optional.of(new SaevMerge());
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new SaevWriting());
  }

  @Override
  public Optional<ProvenanceDocuments> provenance() {
    return Optional.of(new SaevProvenance());
  }
}
