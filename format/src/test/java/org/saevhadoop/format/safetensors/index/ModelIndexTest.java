package org.saevhadoop.format.safetensors.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;

class ModelIndexTest {
  @TempDir Path directory;
  private Folder folder;

  @BeforeEach
  void writeTwoFiles() throws IOException {
    folder = new LocalFolder(directory);
    SmallFile.ofThree(directory.resolve("m-1.safetensors"), "a", "b");
    SmallFile.ofThree(directory.resolve("m-2.safetensors"), "c");
  }

  @Test
  void anIndexAndFilesThatAgreeHaveNoProblem() throws IOException {
    ModelCheck check =
        check(
            "{\"metadata\":{\"total_size\":9,\"x\":[]},\"weight_map\":{\"a\":\"m-1.safetensors\","
                + "\"c\":\"m-2.safetensors\",\"b\":\"m-1.safetensors\"}}");
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings()).isEmpty();
  }

  @Test
  void eachDisagreementIsReported() throws IOException {
    ModelCheck check =
        check(
            "{\"weight_map\":{\"a\":\"m-2.safetensors\",\"c\":\"m-2.safetensors\",\"x\":"
                + "\"m-1.safetensors\",\"y\":\"m-3.safetensors\"}}");
    check.problems().forEach(p -> assertError(TensorIndexError.MODEL_MISMATCH, p.path(), p));
    assertThat(check.problems()).extracting(Throwable::getMessage).doesNotHaveDuplicates();
    String first = folder.path("m-1.safetensors");
    assertThat(check.problems())
        .extracting(FormatException::path)
        .containsExactly(
            first, first, first, folder.path("m-2.safetensors"), folder.path("m-3.safetensors"));
  }

  @ParameterizedTest
  @CsvSource({
    "12,total_size is 12",
    "9.5,total_size is 9.5",
    "1e999,total_size is Infinity",
    "9.0,",
    "9,",
    "\"12\","
  })
  void anotherTotalIsOnlyAWarning(String total, String warning) throws IOException {
    Files.delete(directory.resolve("m-1.safetensors"));
    SmallFile.write(
        directory.resolve("m-2.safetensors"),
        "{\"c\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,9]}}",
        9);
    ModelCheck check =
        check(
            "{\"metadata\":{\"total_size\":%s},\"weight_map\":{\"c\":\"m-2.safetensors\"}}"
                .formatted(total));
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings())
        .isEqualTo(
            warning == null ? List.of() : List.of(warning + ", but the tensors have 9 bytes"));
  }

  @Test
  void filesThatAreNotNamedAreAWarning() throws IOException {
    ModelCheck check = check("{\"weight_map\":{\"c\":\"m-2.safetensors\"}}");
    assertThat(check.problems()).isEmpty();
    assertThat(check.warnings())
        .containsExactly("files that the index does not name are not read: [m-1.safetensors]");
  }

  @Test
  void theUsualNameComesBeforeTheOnlyOne() throws IOException {
    assertThat(ModelIndex.find(folder)).isEmpty();
    Files.writeString(directory.resolve("b.safetensors.index.json"), "{}");
    assertThat(ModelIndex.find(folder)).hasValue("b.safetensors.index.json");
    Files.writeString(directory.resolve("c.safetensors.index.json"), "{}");
    assertFails(TensorIndexError.AMBIGUOUS_INDEX, directory, () -> ModelIndex.find(folder));
    Files.writeString(directory.resolve("model.safetensors.index.json"), "{}");
    assertThat(ModelIndex.find(folder)).hasValue("model.safetensors.index.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"weight_map\":[]}",
        "{\"weight_map\":{\"a\":1}}",
        "{\"weight_map\":{\"a\":\"../x\"}}",
        "{\"weight_map\":{\"a\":\"/x\"}}",
        "{\"weight_map\":{\"a\":\"\"}}",
        "{\"weight_map\":{\"a\":\"x\",\"a\":\"y\"}}",
        "{\"weight_map\":{},\"weight_map\":{}}",
        "{\"weight_map\":{}} 1",
      })
  void anIndexThatIsNoneIsRefused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertFails(TensorIndexError.BAD_MODEL_INDEX, "index", () -> ModelIndex.parse("index", bytes));
  }

  /** The text is Jackson's, and of its version. */
  @Test
  void anIndexThatEndsEarlyIsRefused() {
    byte[] bytes = {'{'};
    assertFailsWithAnyText(
        TensorIndexError.BAD_MODEL_INDEX, "index", () -> ModelIndex.parse("index", bytes));
  }

  private ModelCheck check(String index) throws IOException {
    String name = "model.safetensors.index.json";
    Files.writeString(directory.resolve(name), index);
    return ModelCheck.of(ModelIndex.read(folder, name), folder, HeaderStrictness.STRICT);
  }
}
