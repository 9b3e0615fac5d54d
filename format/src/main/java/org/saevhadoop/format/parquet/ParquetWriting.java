package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.ParquetWriteKeys.VectorType;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

/** Writes Parquet files according to the settings. */
public final class ParquetWriting implements DatasetWriting {
  private static final Set<DType> LISTED = Set.of(DType.F32, DType.F64, DType.I32, DType.I64);

  @Override
  public List<SettingKey<?>> writingKeys() {
    return ParquetWriteKeys.ALL;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(ParquetWriteKeys.MAX_FILE_BYTES);
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype.bits() % Byte.SIZE == 0)
        .collect(Collectors.toSet());
  }

  @Override
  public boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return isBits(settings) || LISTED.containsAll(stored);
  }

  @Override
  public boolean keepsTokenArrays(Settings settings, TableShape table) {
    return true;
  }

  @Override
  public PreparedWrite prepare(
      ConversionSource source, Settings settings, @Nullable WholeSource whole) throws IOException {
    for (Column column : source.table().columns()) {
      check(source.path(), column.dtype(), settings);
    }
    source.dataset().requireActivations();
    long bytes = source.fullFileBytes();
    long most = Objects.requireNonNull(ParquetWriteKeys.MAX_FILE_BYTES.defaultValue());
    boolean isSized = source.fileBytes() > 0 && bytes < most;
    Optional<ExampleIds> ids = source.dataset().ids();
    return new PreparedWrite(
        isSized ? settings.with(ParquetWriteKeys.MAX_FILE_BYTES, bytes) : settings,
        source.provenance(),
        source.table().examples(),
        "",
        ids.isPresent() && !ids.get().areNumbers(),
        true,
        List.of(),
        List.of());
  }

  private static boolean isBits(Settings settings) {
    return settings.get(ParquetWriteKeys.VECTOR_TYPE) == VectorType.BITS;
  }

  private static void check(String path, DType dtype, Settings settings) throws FormatException {
    DatasetError.NOT_CONVERTIBLE.check(
        isBits(settings) || LISTED.contains(dtype),
        path,
        "has vectors of %s, which lists cannot hold (expected --vector-type bits or another"
            + " --dtype)",
        dtype);
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    Geometry geometry = context.geometry();
    if (geometry == null) {
      throw DatasetError.NO_ACTIVATIONS.in(
          context.directory(),
          "is Parquet, which stores only activations (expected activations, or another format)");
    }
    check(context.directory(), geometry.dtype(), settings); // custom jobs can skip prepare()
    TokenArrays tokens = context.tokenArrays();
    long maxBytes = settings.get(ParquetWriteKeys.MAX_FILE_BYTES);
    return new ParquetWritePlan(
            geometry,
            Math.max(1, maxBytes / geometry.exampleBytes()),
            ParquetWritePlan.GROUP_BYTES,
            settings.get(ParquetWriteKeys.UNIT),
            isBits(settings),
            settings.get(ParquetWriteKeys.CODEC),
            context.provenance(),
            context.labels(),
            tokens,
            context.ids().orElse(null),
            context.sampleMetadata())
        .write();
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    Set<String> files = folder.files().keySet();
    DatasetError.INCOMPLETE.check(
        files.contains(ParquetWritePlan.SUMMARY),
        folder.path(),
        "has no %s (expected a dataset of convert --to parquet)",
        ParquetWritePlan.SUMMARY);
    return files.stream()
        .filter(
            file ->
                file.equals(ParquetWritePlan.SUMMARY)
                    || ParquetWritePlan.FILE.matcher(file).matches())
        .collect(Collectors.toSet());
  }
}
