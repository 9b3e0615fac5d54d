package org.saevhadoop.format.arrays.format;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ReportSink;

/** A format of arrays in any number of files of one kind. */
public abstract class ArrayFormat implements DatasetFormat {
  /** Returns the reader of the files; it reads only headers. */
  protected abstract ArrayReader reader(Settings settings);

  /** Returns the setting keys that apply only to this kind of file. */
  protected List<SettingKey<?>> ownKeys() {
    return List.of();
  }

  /** Returns whether a file has a name that only files of this kind have. */
  protected boolean isTypical(ArrayReader reader, String file) {
    return reader.isNamed(file);
  }

  /** Returns the ways to read the files, most likely first. */
  protected List<Variant> variants() {
    return List.of(new Variant(reader(Settings.NONE), false, Set.of()));
  }

  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    return location.isFile() && detect(location) == FormatEvidence.NONE
        ? Optional.empty()
        : ArrayProposals.of(location, variants());
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    ArrayReader reader = reader(Settings.NONE); // once, not for each of many names
    boolean found =
        location.files().keySet().stream()
            .anyMatch(
                file -> isTypical(reader, file) && (location.isFile() || ArrayFiles.isData(file)));
    return !found
        ? FormatEvidence.NONE
        : location.isFile() ? FormatEvidence.STRONG : FormatEvidence.FAIR;
  }

  @Override
  public boolean isArrayFile(String file) {
    return reader(Settings.NONE).isNamed(file);
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return Stream.concat(ArrayKeys.READING.stream(), ownKeys().stream()).toList();
  }

  @Override
  public ModelName assumedModel(Location location) throws IOException {
    return ModelName.ASSUMED;
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return ArrayKeys.open(location, reader(settings), settings);
  }

  @Override
  public Settings forTasks(TableDataset opened, Settings settings) {
    return ArrayKeys.forTasks(opened, settings);
  }

  /** Opens a dataset only for its shape; the values do not have to be readable. */
  protected ActivationDataset headers(
      Location location, Settings settings, ProvenanceReader provenance) throws IOException {
    return open(location, settings, provenance).requireActivations();
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    sink.report(report(this, headers(location, settings, provenance)));
  }

  /** Returns the properties of a dataset of arrays in files of a format. */
  public static DatasetReport report(DatasetFormat format, ActivationDataset dataset)
      throws IOException {
    Geometry geometry = dataset.geometry();
    List<String> fields =
        dataset instanceof ArrayDataset arrays ? arrays.sampleFields() : List.of();
    return new DatasetReport()
        .put("format", format.name())
        .shape(geometry, format.storedName(geometry.dtype()))
        .layerNames(dataset)
        .tokenArrays(dataset)
        .put("labels", dataset.hasLabels())
        .put("sample_metadata", dataset.sampleMetadata().isPresent())
        .put("sample_fields", fields.isEmpty() ? null : fields)
        .normalization(dataset.activations().provenance())
        .sizes(dataset.shards().list(), geometry.examples() * geometry.exampleBytes())
        .shards(dataset.shards().list(), dataset.warnings());
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    return ArrayCheck.problems(location, reader(settings), ArrayKeys.options(settings), warnings);
  }
}
