package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.safetensors.header.SafetensorsFiles.floats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

/** Whether a table has batches or keys. */
@Tag("late")
class SafetensorsTableKindTest extends WrittenTables {
  @Test
  void filesOfOtherColumnsAreRefusedWhenTheyAreRead() throws IOException {
    foreign(floats("x", 4, 3));
    TensorSpec halves = new TensorSpec("x", DType.F16, List.of(4L, 3L));
    SafetensorsFiles.write(folder.resolve("b.safetensors"), null, List.of(halves));
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    try (Input in = found.folder().open("b.safetensors")) {
      assertFails(TensorDatasetError.FILES_DISAGREE, "b.safetensors", () -> found.placement(1, in));
    }
  }

  @Test
  void keysOfUnequalShapesAndMissingColumnsAreRefused() throws IOException {
    SafetensorsOptions keys = options(TensorLayout.KV, null);
    foreign(floats("1__x", 3), floats("2__x", 4));
    assertFails(TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(keys));
    foreign(floats("1__x", 3), floats("1__y", 3), floats("2__x", 3));
    assertFails(TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(keys));
  }

  @Test
  void asManyVectorsUnderKeysAsTheyHaveNumbersAreKeys() throws IOException {
    TensorSpec[] square = new TensorSpec[64];
    for (int i = 0; i < square.length; i++) {
      square[i] = floats("id%02d__emb".formatted(i), 64);
    }
    foreign(square);
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    assertThat(found.layout()).isEqualTo(TensorLayout.KV);
    assertThat(found.warnings())
        .containsExactly(
            "the tensors' names look like keys, 64 ids before \"__\", and are read as such"
                + " (--from-layout batch reads columns)");
    assertThat(found.table())
        .isEqualTo(new TableShape(64, List.of(new Column("emb", DType.F32, List.of(64L)))));
    SmallFile.manifest(folder, "a.safetensors:64");
    assertThat(open(SafetensorsOptions.NONE).layout()).isEqualTo(TensorLayout.KV);
    SafetensorsTable batch = open(options(TensorLayout.BATCH, null));
    assertThat(batch.table().columns())
        .hasSize(64)
        .contains(new Column("id00__emb", DType.F32, List.of()));
    assertThat(batch.warnings()).isEmpty();
  }

  @Test
  void columnsWhoseNamesHaveTheSeparatorAreBatchesWhereTheManifestCountsOtherwise()
      throws IOException {
    foreign(floats("enc__x", 9, 3), floats("dec__x", 9, 3));
    assertThat(open(SafetensorsOptions.NONE).layout()).isEqualTo(TensorLayout.KV);
    SmallFile.manifest(folder, "a.safetensors:9");
    SafetensorsTable found = open(SafetensorsOptions.NONE);
    assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
    assertThat(found.table().examples()).isEqualTo(9);
    assertThat(found.warnings()).isEmpty();
  }

  @Test
  void batchesThatWeWroteStayBatchesWhateverTheirColumnsAreCalled() throws IOException {
    TableShape table =
        new TableShape(
            2,
            List.of(
                new Column("a__x", DType.F32, List.of(3L)),
                new Column("b__x", DType.F32, List.of(3L))));
    SafetensorsTable found = writeAndOpen(batches(table, 2, 8), folder, false);
    assertThat(found.layout()).isEqualTo(TensorLayout.BATCH);
    assertThat(found.warnings()).isEmpty();
    AnyTables.assertSame(found, table, example -> example);
  }

  @Test
  void theWrongSeparatorIsNamedInTheError() throws IOException {
    foreign(floats("1/x", 2), floats("2/x", 2), floats("3/x", 2));
    SmallFile.manifest(folder, "a.safetensors:3");
    assertFails(
        TensorDatasetError.FILES_DISAGREE, "a.safetensors", () -> open(SafetensorsOptions.NONE));
    assertFails(
        TensorDatasetError.BAD_KEY, "a.safetensors", () -> open(options(TensorLayout.KV, null)));
    assertThat(open(options(null, "/")).table().examples()).isEqualTo(3);
    assertThat(open(options(null, "/")).layout()).isEqualTo(TensorLayout.KV);
  }

  @Test
  void numbersAsIdsSortAsNumbersAndOthersStayAsTheyAre() throws IOException {
    SafetensorsFiles.writeScalars(
        folder.resolve("a.safetensors"), "10__x", "9__x", "100__x", "0__x");
    assertThat(open(options(TensorLayout.KV, null)).ids(0)).containsExactly("0", "9", "10", "100");
    SafetensorsFiles.writeScalars(folder.resolve("a.safetensors"), "10__x", "9__x", "09__x");
    assertThat(open(options(TensorLayout.KV, null)).ids(0)).containsExactly("09", "10", "9");
    SafetensorsFiles.writeScalars(
        folder.resolve("a.safetensors"), "1234567890123456789__x", "9__x");
    assertThat(open(options(TensorLayout.KV, null)).ids(0))
        .containsExactly("1234567890123456789", "9");
  }

  @Test
  void aColumnThatEndsWithinItsSeparatorCanNotBeAKey() {
    TableShape table = new TableShape(1, List.of(new Column("_x", DType.F32, List.of())));
    assertThatThrownBy(() -> keyed(table, "__", ExampleIds.numbers(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column `_x` could not be distinguished from its key's id");
    assertThatThrownBy(() -> keyed(table, "", ExampleIds.numbers(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("separator of keys is empty");
  }

  @Test
  void aSchemaIsLeftOutOfTheManifestWhereItsTypesAreNone() throws IOException {
    for (DType dtype : DType.values()) {
      Path directory = Files.createDirectory(folder.resolve(dtype.name()));
      TableShape table = new TableShape(1, List.of(new Column("x", dtype, List.of(4L))));
      writeAndOpen(batches(table, 1, 8), directory, true);
      String manifest = Files.readString(directory.resolve(SafetensorsTable.MANIFEST));
      assertThat(manifest.contains("\"schema\""))
          .isEqualTo(dtype.name().matches("B?F16|F32|F64|[UI](8|16|32|64)"));
    }
  }

  @Test
  void moreBlocksWithoutBytesThanAnyoneHasAreRefused() throws IOException {
    foreign(floats("v", 1L << 24, 0));
    assertThat(open(SafetensorsOptions.NONE).table().examples()).isEqualTo(1 << 24);
    foreign(floats("v", Long.MAX_VALUE, 0));
    assertFails(TensorDatasetError.TOO_LARGE, folder, () -> open(SafetensorsOptions.NONE));
    foreign(floats("v", 1L << 24, 0), floats("w", 1L << 24, 0));
    assertFails(TensorDatasetError.TOO_LARGE, folder, () -> open(SafetensorsOptions.NONE));
  }

  @Test
  void aFileOfMorePaddingThanExamplesIsRefused() throws IOException {
    Map<String, String> metadata =
        Map.of("saev.padding", "5", "saev.first_example", "0", "saev.examples", "1");
    List<TensorSpec> specs = List.of(new TensorSpec("v", DType.U8, List.of(4L)));
    SafetensorsFiles.write(folder.resolve("a.safetensors"), metadata, specs);
    assertFails(
        TensorDatasetError.BAD_FILE_METADATA, "a.safetensors", () -> open(SafetensorsOptions.NONE));
    SmallFile.manifest(folder, "a.safetensors:4");
    assertFails(
        TensorDatasetError.BAD_FILE_METADATA, "a.safetensors", () -> open(SafetensorsOptions.NONE));
  }
}
