package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.ParquetWriteKeys.VectorType;
import org.saevhadoop.format.parquet.file.PageCodec;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.parquet.write.PageCompression;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FileMerge;

/** Merges Parquet files, whose examples are always rewritten. */
final class ParquetMerge implements FileMerge {
  private final ParquetFormat format;

  ParquetMerge(ParquetFormat format) {
    this.format = format;
  }

  @Override
  public Survey survey(List<Source> sources) {
    return (combined, members) ->
        MergePlan.rewriting(
            "each row of a Parquet file has the number of its example in the whole dataset, whose"
                + " shape each file states");
  }

  /**
   * Returns the unit, vector type and codec of the sources, each only if it is the same in all
   * sources.
   */
  @Override
  public Settings writing(List<Source> sources) throws IOException {
    Settings common = null;
    for (Source source : sources) {
      Settings own = writing(source);
      common = common == null ? own : common(common, own);
    }
    return common == null ? Settings.NONE : common;
  }

  private static Settings common(Settings some, Settings others) {
    Settings common = some;
    for (SettingKey<?> key : some.keys()) {
      if (!some.get(key).equals(others.get(key))) {
        common = common.without(key);
      }
    }
    return common;
  }

  private Settings writing(Source source) throws IOException {
    Location location = source.location();
    String first = format.files(location, source.settings()).get(0).path();
    try (Input in = ArrayFiles.open(location.folder(), first)) {
      TableFooter footer = TableFooter.read(in);
      Optional<RowLayout> described = RowLayout.of(footer, List.of());
      if (described.isEmpty()) {
        return Settings.NONE;
      }
      RowLayout layout = described.get();
      int vector = RowLayout.index(footer, layout.vectors(layout.geometry().layers().get(0)));
      boolean isList = layout.isList(footer.columns().get(vector));
      boolean isGzip =
          footer.rowGroups().stream()
              .anyMatch(group -> group.chunks().get(vector).codec() == PageCodec.GZIP);
      return Settings.NONE
          .with(ParquetWriteKeys.UNIT, layout.unit())
          .with(ParquetWriteKeys.VECTOR_TYPE, isList ? VectorType.LIST : VectorType.BITS)
          .with(ParquetWriteKeys.CODEC, isGzip ? PageCompression.GZIP : PageCompression.NONE);
    }
  }
}
