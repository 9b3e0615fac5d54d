package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.dataset.DatasetCheck;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.index.ModelIndex;
import org.saevhadoop.format.safetensors.index.TensorIndex;
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
import org.saevhadoop.mapreduce.spi.WholeSource;
import org.saevhadoop.mapreduce.spi.WriteContext;

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
  public FormatEvidence detect(Location location) throws IOException {
    if (location.isFile()) {
      return location.file().endsWith(SafetensorsTable.SUFFIX)
          ? FormatEvidence.STRONG
          : FormatEvidence.WEAK;
    }
    Set<String> files = location.files().keySet();
    boolean some =
        files.contains(SafetensorsTable.MANIFEST)
            || files.stream()
                .anyMatch(
                    name ->
                        name.endsWith(SafetensorsTable.SUFFIX) || name.endsWith(ModelIndex.SUFFIX));
    return some ? FormatEvidence.FAIR : FormatEvidence.NONE;
  }

  @Override
  public List<SettingKey<?>> readingKeys() {
    return SafetensorsKeys.reading();
  }

  @Override
  public Set<SettingKey<?>> surveyKeys() {
    return Set.of(SafetensorsKeys.DUPLICATES);
  }

  @Override
  public List<SettingKey<?>> writingKeys() {
    return SafetensorsKeys.writing();
  }

  @Override
  public void checkSettings(Settings settings) {
    boolean keyed = settings.get(SafetensorsKeys.LAYOUT) == TensorLayout.KV;
    boolean whole = settings.get(SafetensorsKeys.TAIL) == Tail.WRITE;
    if (keyed && settings.isSet(SafetensorsKeys.BATCH_SIZE)) {
      throw new SettingException(
          settings.nameOf(SafetensorsKeys.BATCH_SIZE)
              + " and "
              + settings.nameOf(SafetensorsKeys.LAYOUT)
              + " exclude each other");
    }
    for (SettingKey<?> key : List.of(SafetensorsKeys.SEPARATOR, SafetensorsKeys.SHARD_MB)) {
      if (!keyed && settings.isSet(key)) {
        throw new SettingException(settings.nameOf(key) + " needs --kv");
      }
    }
    if (!whole && keyed) {
      throw new SettingException(
          settings.nameOf(SafetensorsKeys.TAIL)
              + " drop or pad and "
              + settings.nameOf(SafetensorsKeys.LAYOUT)
              + " exclude each other");
    }
    if (!whole && !settings.isSet(SafetensorsKeys.BATCH_SIZE)) {
      throw new SettingException(
          settings.nameOf(SafetensorsKeys.TAIL) + " drop or pad needs --batch-size");
    }
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    SafetensorsTable table = SafetensorsReading.table(location, settings, provenance);
    if (!settings.isSet(TensorKeys.TENSORS)) {
      try {
        return table.requireActivations();
      } catch (FormatException e) {
        // callers that need activations get this exception when they request them
        return table;
      }
    }
    return SafetensorsDataset.of(table, SafetensorsReading.options(settings, provenance));
  }

  @Override
  public Settings survey(Location location, Settings settings, Consumer<String> warnings)
      throws IOException {
    return SafetensorsReading.survey(location, settings, warnings);
  }

  @Override
  public Optional<NamedTensors> namedTensors() {
    return Optional.of(new SafetensorsTensors());
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    SafetensorsReport report = new SafetensorsReport(name(), sink);
    HeaderStrictness strictness = SafetensorsReading.strictness(settings);
    Optional<SafetensorsModel> model = SafetensorsModel.find(location);
    if (model.isPresent()) {
      report.model(model.get(), strictness);
    } else if (location.isFile() && !settings.isSet(TensorKeys.TENSORS)) {
      report.file(location, strictness);
    } else {
      report.dataset(open(location, settings, provenance), provenance);
    }
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SafetensorsKeys.BATCH_SIZE, SafetensorsKeys.SHARD_MB);
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    SafetensorsOptions options =
        SafetensorsReading.options(Settings.NONE, provenance -> OptionalInt.empty());
    DatasetCheck check = DatasetCheck.of(folder.folder(), options);
    check.requireMarked();
    if (!check.problems().isEmpty()) {
      throw check.problems().get(0);
    }
    Set<String> files = new HashSet<>(Set.of(SafetensorsTable.MANIFEST, TensorIndex.NAME));
    files.addAll(check.files());
    return files;
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    return new ProblemScan(location, SafetensorsReading.options(settings, provenance))
        .run(warnings);
  }

  @Override
  public Set<DType> writableTypes() {
    return EnumSet.allOf(DType.class);
  }

  @Override
  public boolean keepsStoredTypes(boolean samples) {
    return true;
  }

  @Override
  public PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException {
    boolean keyed = settings.get(SafetensorsKeys.LAYOUT) == TensorLayout.KV;
    if (keyed && whole != null) {
      KeyOrder.check(source, whole);
    }
    return SafetensorsWriting.prepare(source, settings);
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    return SafetensorsWriting.write(settings, context);
  }
}
