package org.saevhadoop.format.safetensors.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  void eachDisagreementIsTold() throws IOException {
    ModelCheck check =
        check(
            "{\"weight_map\":{\"a\":\"m-2.safetensors\",\"c\":\"m-2.safetensors\",\"x\":"
                + "\"m-1.safetensors\",\"y\":\"m-3.safetensors\"}}");
    String index = folder.path("model.safetensors.index.json");
    assertThat(check.problems())
        .extracting(Throwable::getMessage)
        .containsExactly(
            folder.path("m-1.safetensors") + ": lacks tensor `x` that " + index + " names there",
            folder.path("m-1.safetensors") + ": holds tensor `b` that " + index + " does not name",
            folder.path("m-1.safetensors")
                + (": holds tensor `a` that " + index + " names in another file"),
            folder.path("m-2.safetensors") + ": lacks tensor `a` that " + index + " names there",
            folder.path("m-3.safetensors") + ": is missing (expected 1 tensors in it)");
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
    assertThatThrownBy(() -> ModelIndex.find(folder))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has several indexes");
    Files.writeString(directory.resolve("model.safetensors.index.json"), "{}");
    assertThat(ModelIndex.find(folder)).hasValue("model.safetensors.index.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "[]|is not a JSON object",
        "{|not JSON",
        "{}|field weight_map is missing",
        "{\"weight_map\":[]}|weight_map is not an object",
        "{\"weight_map\":{\"a\":1}}|has `a` in what is no text (expected a plain file name)",
        "{\"weight_map\":{\"a\":\"../x\"}}|has `a` in `../x` (expected a plain file name)",
        "{\"weight_map\":{\"a\":\"/x\"}}|expected a plain file name",
        "{\"weight_map\":{\"a\":\"\"}}|expected a plain file name",
        "{\"weight_map\":{\"a\":\"x\",\"a\":\"y\"}}|has `a` twice",
        "{\"weight_map\":{},\"weight_map\":{}}|weight_map comes twice",
        "{\"weight_map\":{}} 1|goes on after its JSON object",
      })
  void anIndexThatIsNoneIsRefused(String text, String problem) {
    assertThatThrownBy(() -> ModelIndex.parse("i", text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("i: ")
        .hasMessageContaining(problem);
  }

  private ModelCheck check(String index) throws IOException {
    String name = "model.safetensors.index.json";
    Files.writeString(directory.resolve(name), index);
    return ModelCheck.of(ModelIndex.read(folder, name), folder, HeaderStrictness.STRICT);
  }
}
