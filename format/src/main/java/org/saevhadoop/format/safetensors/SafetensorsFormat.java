package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.format.ArrayCheck;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.index.IndexCheck;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.DatasetCheck;
import org.saevhadoop.format.safetensors.dataset.ForeignTensors;
import org.saevhadoop.format.safetensors.dataset.SafetensorsArrays;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.header.HeaderFile;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.index.ModelCheck;
import org.saevhadoop.format.safetensors.index.ModelIndex;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetSurvey;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.VectorTensors;
import org.saevhadoop.format.tensor.DType;

/**
 * The safetensors format: a folder of files with or without a manifest, a model with an index, or a
 * single file.
 */
public final class SafetensorsFormat implements DatasetFormat {
  @Override
  public String name() {
    return "safetensors";
  }

  @Override
  public String expected() {
    return SafetensorsTable.MANIFEST + ", files *" + SafetensorsTable.SUFFIX;
  }

  @Override
  public String storedName(DType dtype) {
    return dtype.name();
  }

  @Override
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile()) {
      if (isNamed(location.file())) {
        return FormatEvidence.STRONG;
      }
      return beginsWithHeader(location) ? FormatEvidence.WEAK : FormatEvidence.NONE;
    }
    Set<String> files = location.files().keySet();
    boolean some =
        files.contains(SafetensorsTable.MANIFEST)
            || files.stream().anyMatch(SafetensorsFormat::isNamed);
    return some ? FormatEvidence.FAIR : FormatEvidence.NONE;
  }

  /**
   * Returns whether a file, regardless of its name, appears to begin with a length and a JSON
   * object.
   */
  private static boolean beginsWithHeader(Location location) throws IOException {
    try (Input file = location.folder().open(location.file())) {
      if (file.length() <= HeaderFile.PREFIX) {
        return false;
      }
      ByteBuffer start = ByteBuffer.allocate(HeaderFile.PREFIX + 1).order(ByteOrder.LITTLE_ENDIAN);
      file.readFully(0, start);
      char first = (char) start.get(HeaderFile.PREFIX);
      return Long.compareUnsigned(start.getLong(0), SafetensorsHeader.MAX_HEADER_BYTES) <= 0
          && (first == '{' || Character.isWhitespace(first));
    }
  }

  /**
   * Returns whether a header is too long to be held in memory twice, together with a list of its
   * tensors.
   */
  private static boolean hasLongHeader(Location location) throws IOException {
    try (Input file = location.folder().open(location.file())) {
      ByteBuffer length = ByteBuffer.allocate(HeaderFile.PREFIX).order(ByteOrder.LITTLE_ENDIAN);
      if (file.length() < length.capacity()) {
        return false;
      }
      file.readFully(0, length);
      return Long.compareUnsigned(length.getLong(0), SafetensorsReport.MAX_HEADER) > 0;
    }
  }

  private static boolean isNamed(String file) {
    return file.endsWith(SafetensorsTable.SUFFIX) || file.endsWith(ModelIndex.SUFFIX);
  }

  @Override
  public boolean isPart(String file) {
    return file.equals(SafetensorsTable.MANIFEST) || file.equals(TensorIndex.NAME);
  }

  @Override
  public boolean isArrayFile(String file) {
    return file.endsWith(SafetensorsTable.SUFFIX);
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return SafetensorsKeys.READING;
  }

  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    if (location.isFile() && (!isNamed(location.file()) || hasLongHeader(location))
        || SafetensorsReading.isModel(location)) {
      return Optional.empty();
    }
    HeaderStrictness strictness = HeaderStrictness.STRICT;
    boolean decided = ForeignTensors.areAt(location, strictness, false);
    return ArrayProposals.of(
        location,
        List.of(
            new Variant(
                new ForeignTensors(strictness), !decided, Set.of(SafetensorsTable.MANIFEST))));
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    return new SafetensorsReading(settings, provenance).open(location);
  }

  @Override
  public Settings forTasks(TableDataset opened, Settings settings) {
    return ArrayKeys.forTasks(opened, settings);
  }

  @Override
  public Optional<DatasetSurvey> survey() {
    return Optional.of(
        new DatasetSurvey(Set.of(SafetensorsKeys.DUPLICATES), SafetensorsReading::survey));
  }

  @Override
  public Optional<NamedTensors> namedTensors() {
    return Optional.of(new SafetensorsTensors());
  }

  @Override
  public Optional<VectorTensors> vectorTensors() {
    return Optional.of(new SafetensorsVectors());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    SafetensorsReading reading = new SafetensorsReading(settings, provenance);
    boolean isFile =
        location.isFile() && !settings.isSet(ArrayKeys.TENSORS) && !ArrayKeys.isLayout(settings);
    if (!isFile && reading.isArrays(location)) {
      sink.report(ArrayFormat.report(this, reading.arrays(location)));
      return;
    }
    SafetensorsReport report = new SafetensorsReport(name(), sink, reading);
    Optional<SafetensorsModel> model = SafetensorsModel.find(location);
    if (model.isPresent()) {
      report.model(model.get());
    } else if (isFile) {
      report.file(location);
    } else {
      report.dataset(reading.open(location));
    }
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    SafetensorsReading reading = new SafetensorsReading(settings, provenance);
    if (hasArrays(reading, location)) {
      return ArrayCheck.problems(
          location,
          new SafetensorsArrays(reading.strictness()),
          ArrayKeys.options(settings),
          warnings);
    }
    SafetensorsOptions options = reading.options();
    try {
      Optional<SafetensorsModel> model = SafetensorsModel.find(location);
      if (model.isPresent()) {
        ModelCheck check =
            ModelCheck.of(model.get().index(), model.get().folder(), options.strictness());
        check.warnings().forEach(warnings);
        return check.problems();
      }
      if (location.isFile()) {
        try (Input file = location.folder().open(location.file())) {
          SafetensorsHeader header = SafetensorsHeader.read(file, options.strictness());
          if (options.layout() == null && header.metadata() != null) {
            SafetensorsTable.storedLayout(file.path(), header.metadata());
          }
        }
        return List.of();
      }
    } catch (FormatException e) {
      return List.of(e);
    }
    return problems(location.folder(), options);
  }

  private static boolean hasArrays(SafetensorsReading reading, Location location)
      throws IOException {
    try {
      return reading.isArrays(location);
    } catch (FormatException e) {
      return false; // the first header is invalid, which the check of all headers reports
    }
  }

  private static List<FormatException> problems(Folder folder, SafetensorsOptions options)
      throws IOException {
    DatasetCheck check = DatasetCheck.of(folder, options);
    List<FormatException> problems = new ArrayList<>(check.problems());
    if (IndexCheck.hasIndex(folder)) {
      problems.addAll(IndexCheck.run(folder, check.files(), check.layout(), options.strictness()));
    }
    if (check.problems().isEmpty()) {
      problems.addAll(SampleMetadataCheck.problems(SafetensorsTable.open(folder, options)));
    }
    return problems;
  }

  @Override
  public Optional<FileMerge> merging() {
    return Optional.of(new SafetensorsMerge());
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new SafetensorsWriting());
  }
}
