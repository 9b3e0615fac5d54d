package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.header.SafetensorsError;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

/** Each wrong input: one clear line, exit code 1, and nothing at the destination. */
@Tag("late")
class WrongInputTest extends ConvertedDatasets {

  private Path source;
  private Path out;

  @BeforeEach
  void copyTheFixture() throws IOException {
    source = Fixtures.copy(Fixtures.SMALL, folder);
    out = folder.resolve("out");
  }

  @Test
  void aMissingShard() throws IOException {
    Path missing = source.resolve("acts000001.bin");
    Files.delete(missing);
    convertFails(SaevError.MISSING_FILE, missing);
    Cli.run("cat", source, "--example", 0).failsWith(SaevError.MISSING_FILE, missing);
    assertThat(Cli.run("inspect", source).succeeds().text()).contains("acts000001.bin is missing");
  }

  /** A file, a text in it or its whole content, what replaces that, and the error in the file. */
  static List<Arguments> brokenDocuments() {
    return List.of(
        arguments("metadata.json", "(?s).+", "{\"vit_family\": ", JsonError.BAD_JSON),
        arguments("metadata.json", "\"n_imgs\": 7,", "", SaevError.MISSING_FIELD),
        arguments("metadata.json", "7,", "\"seven\",", SaevError.BAD_FIELD),
        arguments("shards.json", "(?s).+", "[1]", SaevError.BAD_SHARD_LIST));
  }

  @ParameterizedTest
  @MethodSource("brokenDocuments")
  void aBrokenDocument(String name, String text, String replacement, ErrorKind kind)
      throws IOException {
    Path file = source.resolve(name);
    Files.writeString(file, Files.readString(file).replaceFirst(text, replacement));
    convertFails(kind, file);
    if (kind == JsonError.BAD_JSON) {
      Cli.run("inspect", source).failsWith(kind, file);
    }
  }

  @Test
  @Timeout(60)
  void whatATerminalWouldObeyIsNotPrintedAndLongNumbersAreNotComputed() throws IOException {
    Path metadata = source.resolve("metadata.json");
    String text = Files.readString(metadata).replace("\"clip\"", "\"cl\\u001b[31m\\nip\"");
    String digits = "9".repeat(3_000_000);
    Files.writeString(metadata, text.replace("\"data\": {", "\"data\": {\"n\": " + digits + ","));
    String told = Cli.run("inspect", source).succeeds().text();
    assertThat(told).contains("cl\\u001b[31m\\nip\n").doesNotContain("\u001b");
    assertThat(told.contains(digits)).as("the number as it is spelled").isTrue();
  }

  @Test
  void aMessageIsOneLineWhateverNamesItQuotes() throws IOException {
    Path tensors = Files.createDirectory(folder.resolve("tensors"));
    Path manifest = tensors.resolve("dataset_manifest.json");
    String text =
        """
        {"format_version": "1.0", "shards": [
          {"shard_path": "%s.safetensors", "samples_count": 1, "bytes": 1}]}
        """;
    Files.writeString(manifest, text.formatted("a\\u001b[31m\\nb\\u009b1m"));
    Cli.convert(tensors, out, "safetensors")
        .failsWith(
            TensorDatasetError.MISSING_FILE, tensors + "/a\u001b[31m\nb\u009b1m.safetensors");
    String name = "x".repeat(100_000);
    Files.writeString(manifest, text.formatted(name));
    Cli inspected =
        Cli.run("inspect", tensors)
            .failsWith(TensorDatasetError.MISSING_FILE, tensors.resolve(name + ".safetensors"));
    assertThat(inspected.stderr()).hasSizeLessThan(5000);
  }

  @Test
  void moreFilesThanAnyoneCanList() throws IOException {
    Path table = folder.resolve("t.safetensors");
    List<TensorSpec> specs = List.of(new TensorSpec("t", DType.U8, List.of(1_000_001L)));
    SafetensorsFiles.write(table, null, specs);
    Cli.convert(table, out, "safetensors --batch-size 1").failsWith(DatasetError.TOO_LARGE, out);
    assertThat(out).doesNotExist();
  }

  @Test
  void aLayerThatWasNotRecorded() {
    Cli.run("cat", source, "--example", 0, "--layer", 12)
        .failsWith(DatasetError.NO_SUCH_LAYER, source);
  }

  @Test
  void anExampleOrATokenThatIsNotThere() {
    Cli.run("cat", source, "--example", 7).failsWith(DatasetError.BAD_SELECTION, source);
    Cli.run("cat", source, "--example", -1).failsWith(DatasetError.NO_SUCH_EXAMPLE, source);
    Cli.run("cat", source, "--example", 0, "--token", 10)
        .failsWith(DatasetError.NO_SUCH_TOKEN, source);
  }

  @Test
  void aSourceOfUnknownFormatOrThatIsNotThere() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Cli.convert(empty, out, "safetensors").failsWith(DatasetError.UNKNOWN_FORMAT, empty);
    Path none = folder.resolve("none");
    Cli.convert(none, out, "safetensors").failsWith(FileError.NOT_FOUND, none);
    Path text = Files.writeString(folder.resolve("text"), "no tensors in here");
    Cli.convert(text, out, "saev").failsWith(DatasetError.UNKNOWN_FORMAT, text);
    assertThat(out).doesNotExist();
  }

  @Test
  void aShardShorterThanItsExamples() throws IOException {
    Path cut = Files.write(source.resolve("acts000003.bin"), new byte[100]);
    convertFails(SaevError.BAD_SHARD, cut);
  }

  @Test
  void aWriterThatDidNotFinish() throws IOException {
    String text = "[{\"name\": \"acts000000.bin\", \"n_imgs\": 2}]";
    convertFails(SaevError.BAD_SHARD, Files.writeString(source.resolve("shards.json"), text));
  }

  @Test
  void aBudgetTooSmallForAnExample() {
    Cli.convert(source, out, "saev --tokens-per-shard 29")
        .failsWith(SaevError.BAD_FIELD, "metadata.json");
    assertThat(out).doesNotExist();
  }

  @Test
  void aMissingPartAndOneOfAnotherLength() throws IOException {
    Path tensors = convert(source, "tensors", "safetensors --batch-size 3");
    Path part = tensors.resolve(files(tensors).get(2));
    byte[] bytes = Files.readAllBytes(part);
    Files.write(part, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    Cli.convert(tensors, out, "saev").failsWith(TensorDatasetError.BAD_MANIFEST, part);
    Files.delete(part);
    Cli.convert(tensors, out, "saev").failsWith(TensorDatasetError.MISSING_FILE, part);
  }

  @Test
  void aFailureTakesTheFolderThatItMadeWithIt() throws IOException {
    Path tensors = convert(source, "tensors", "safetensors --batch-size 3");
    Path part = tensors.resolve(files(tensors).get(2));
    breakHeader(part);
    Cli.convert(tensors, out, "saev")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, part);
    assertThat(out).doesNotExist();
    Files.createDirectory(out);
    Cli.convert(tensors, out, "saev")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, part);
    assertThat(out).isEmptyDirectory();
    Cli.convert(tensors, out.resolve("a/b"), "saev")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, part);
    assertThat(out).as("the user's own, empty as it is").isEmptyDirectory();
  }

  @Test
  void aStrangersFileDoesNotDecideWhereToWrite() throws IOException {
    String name = "0".repeat(64);
    Path renamed = Files.move(source, source.resolveSibling(name));
    Path tensors = convert(renamed, "tensors", "safetensors");
    Path part = tensors.resolve(files(tensors).get(1));
    String bytes = Files.readString(part, StandardCharsets.ISO_8859_1);
    assertThat(bytes).contains(name);
    String elsewhere = "../" + "1".repeat(61);
    Files.writeString(part, bytes.replace(name, elsewhere), StandardCharsets.ISO_8859_1);
    Path written = Cli.convert(tensors, out, "saev").succeeds().lastLinePath();
    assertThat(written).isEqualTo(out.resolve(Fixtures.SMALL));
  }

  @Test
  void dataThatIsNoJson() throws IOException {
    Path data = Files.writeString(folder.resolve("data.json"), "nope");
    Cli.convert(source, out, "saev", "--data", data).failsWith(JsonError.BAD_JSON, data);
  }

  private void convertFails(ErrorKind kind, Object path) {
    Cli.convert(source, out, "safetensors").failsWith(kind, path);
    assertThat(out).doesNotExist();
    assertThat(KilledRun.folder(out)).doesNotExist();
  }
}
