package org.saevhadoop.format.numpy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.numpy.dataset.ArraysDocument;
import org.saevhadoop.format.numpy.dataset.NpyWritePlan;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;

/** Writes .npy files according to the settings. */
final class NumpyWriting implements DatasetWriting {
  /** NPY_MAXDIMS of numpy 2, minus 1 for the dimension of the examples. */
  private static final int MAX_DIMENSIONS = 63;

  @Override
  public List<SettingKey<?>> writingKeys() {
    return NumpyKeys.WRITING;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return NumpyKeys.WRITING;
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values())
        .filter(dtype -> NumpyType.of(dtype).isPresent())
        .collect(Collectors.toSet());
  }

  @Override
  public boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return true;
  }

  @Override
  public boolean keepsTokenArrays(Settings settings, TableShape table) {
    return true;
  }

  /**
   * Checks the columns. Arrays are split only at the maximum file size, not at the default size.
   */
  @Override
  public PreparedWrite prepare(
      ConversionSource source, Settings settings, @Nullable WholeSource whole)
      throws FormatException {
    TableShape table = source.table();
    check(source.path(), table);
    List<String> changes = new ArrayList<>();
    if (table.columns().stream().anyMatch(column -> column.dtype() == DType.BF16)) {
      changes.add(
          "numpy has no BF16: it loads such arrays as V2 (use .view(ml_dtypes.bfloat16), or write"
              + " --dtype F32)");
    }
    return PreparedWrite.of(settings, source, changes);
  }

  private static void check(String path, TableShape table) throws FormatException {
    for (Column column : table.columns()) {
      DatasetError.NOT_CONVERTIBLE.check(
          NumpyType.of(column.dtype()).isPresent() && column.shape().size() <= MAX_DIMENSIONS,
          path,
          "has column %s of %s %s, which numpy cannot represent (expected another --dtype)",
          Quote.show(column.name()),
          column.dtype(),
          column.shape());
      DatasetError.NOT_CONVERTIBLE.check(
          NpyWritePlan.isFileName(column.name()),
          path,
          "has column %s, whose name cannot be used for a .npy file",
          Quote.show(column.name()));
    }
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    TableShape table = context.table();
    check(context.directory(), table); // custom jobs can skip prepare()
    long maxBytes = settings.get(NumpyKeys.MAX_FILE_BYTES);
    return new NpyWritePlan(
            table,
            NpyWritePlan.examplesPerFile(table, maxBytes),
            context.provenance(),
            context.labels(),
            context.tokenArrays())
        .write(context.sampleMetadata());
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    Set<String> files = new HashSet<>(Set.of(ArraysDocument.NAME));
    files.addAll(ArraysDocument.read(folder.folder()).files());
    return files;
  }
}
