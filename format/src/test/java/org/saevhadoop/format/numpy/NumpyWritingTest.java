package org.saevhadoop.format.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

class NumpyWritingTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, 21), 4, 3);

  private final NumpyWriting writing = new NumpyWriting();

  @TempDir Path directory;

  /** The output of a job. */
  private record Context(TableShape table, @Nullable Geometry geometry) implements WriteContext {
    @Override
    public Provenance provenance() {
      return Provenance.NONE;
    }

    @Override
    public Optional<LabelSource> labels(Geometry written) throws IOException {
      InventedDataset labelled = new InventedDataset(GEOMETRY, false, 5).withLabels(2);
      return Optional.of(LabelSource.of(labelled, written));
    }

    @Override
    public SampleMetadata sampleMetadata() {
      return SampleMetadata.NONE;
    }

    @Override
    public TokenArrays tokenArrays() {
      return TokenArrays.NONE;
    }

    @Override
    public Optional<ExampleIds> ids() {
      return Optional.empty();
    }

    @Override
    public String directory() {
      return "out";
    }
  }

  private PreparedWrite prepare(TableShape table) throws IOException {
    ConversionSource source =
        new ConversionSource(
            "source",
            "saev",
            new InventedDataset(GEOMETRY, false, 5),
            table,
            false,
            Provenance.NONE,
            new ModelName(null, null),
            false,
            Settings.NONE,
            1 << 26);
    return writing.prepare(source, Settings.NONE, null);
  }

  private static TableShape table(String name, DType dtype) {
    return new TableShape(2, List.of(new Column(name, dtype, List.of(4L, 3L))));
  }

  @ParameterizedTest
  @CsvSource({"F32, 0", "I64, 0", "C64, 0", "BOOL, 0", "BF16, 1"})
  void typesOfNumpyAreWrittenAsTheyAre(DType dtype, int warnings) throws IOException {
    assertThat(prepare(table("layer_1", dtype)).changes()).hasSize(warnings);
    assertThat(writing.writableTypes()).contains(dtype);
    assertThat(writing.keepsStoredTypes(Settings.NONE, List.of(), true)).isTrue();
  }

  @Test
  void whatNoNpyFileCanHoldIsRefused() {
    assertThat(writing.writableTypes()).doesNotContain(DType.F8_E4M3, DType.F4);
    for (TableShape table :
        List.of(table("layer_1", DType.F8_E5M2), table("a/b", DType.F32), table("", DType.F32))) {
      assertFails(DatasetError.NOT_CONVERTIBLE, "source", () -> prepare(table));
      assertFails(
          DatasetError.NOT_CONVERTIBLE,
          "out",
          () -> writing.write(Settings.NONE, new Context(table, null)));
    }
  }

  @ParameterizedTest
  @CsvSource({"1073741824, 1, 3", "96, 3, 9"})
  void theFilesOfADatasetAreThoseThatWereWritten(String maxBytes, int parts, int files)
      throws IOException {
    Settings settings =
        Settings.NONE.withText(NumpyKeys.MAX_FILE_BYTES, maxBytes, "--max-npy-bytes");
    Context context = new Context(GEOMETRY.table(), GEOMETRY);
    assertThat(writing.write(settings, context).plan().shardCount()).isEqualTo(parts);
    InventedFiles.write(writing.write(settings, context), directory);
    LocalFolder folder = new LocalFolder(directory);
    assertThat(folder.files()).hasSize(files + 1);
    assertThat(writing.datasetFiles(Location.of(folder))).isEqualTo(folder.files().keySet());
  }
}
