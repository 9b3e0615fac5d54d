package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.tensor.DType;

/** What commands print beside their results, and in which words. */
class OutputTest {
  @TempDir Path folder;

  private Cli convert(Object... options) {
    return Cli.run("convert", Fixtures.small(), folder.resolve("out"), "--to=safetensors", options);
  }

  @Test
  void aStatusLineHasTheSizeAndNoReason() {
    assertThat(convert().succeeds().stderr())
        .startsWith(
            "convert: 7 examples to write, 13.1 KiB, 1 file\nnote: diff compares both\nnext: saev-hadoop diff ");
  }

  @Test
  void theReasonOfThePlanIsADetail() {
    assertThat(convert("--verbose").succeeds().stderr())
        .contains("convert: 7 examples to write, 13.1 KiB, 1 file\n")
        .contains("convert: map-only: the source can be read at any position, so each task covers");
  }

  @Test
  void quietCommandsPrintResultsAndErrorsOnly() {
    Object[] warned = {"--quiet", "--no-sample-metadata", "--sample-ids", "directory"};
    Cli cli = convert(warned).succeeds();
    assertThat(cli.stderr()).isEmpty();
    assertThat(cli.lastLinePath()).isEqualTo(folder.resolve("out"));
    convert(warned).failsWithText("already exists");
    assertThat(convert(warned).stderr().lines()).hasSize(1);
  }

  @Test
  void withoutProgressWarningsAndStatusStay() {
    assertThat(convert("--no-progress", "--sample-ids", "directory").succeeds().stderr().lines())
        .startsWith(
            "warning: --sample-ids has no effect with a source of format saev",
            "convert: 7 examples to write, 13.1 KiB, 1 file")
        .hasSize(4);
  }

  @Test
  void allCommandsThatReadArraysWarnOfTheirDimensions() throws IOException {
    Path file = folder.resolve("x.npy");
    OwnArrays.writeNpy(file, DType.F32, List.of(4L, 3L, 2L), new byte[4 * 3 * 2 * Float.BYTES]);
    for (String command : List.of("digest", "stats")) {
      assertThat(Cli.run(command, file).succeeds().stderr())
          .contains(
              "warning: " + file + ": the array is read as example,token,dim, because nothing");
    }
  }

  @Test
  void quietAndVerboseExcludeEachOther() {
    convert("--quiet", "--verbose").failsAsUsage("--quiet and --verbose exclude each other");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "safetensors", "pickle", "samediff"})
  void inspectShowsSizesAndLeavesOutWhatHasNoValue(String format) throws IOException {
    Path dataset =
        Cli.convert(Fixtures.small(), folder.resolve("out"), format).succeeds().lastLinePath();
    JsonNode report = Cli.run("inspect", dataset, "--json").succeeds().json();
    assertThat(report.get("vectors").longValue()).isEqualTo(7 * 3 * 10);
    assertThat(report.get("bytes_of_values").longValue()).isEqualTo(7 * 3 * 10 * 16 * Float.BYTES);
    List<String> data =
        report.has("shards")
            ? report.get("shards").findValuesAsText("file")
            : List.of("activations.sdnb");
    long bytes = 0;
    for (String file : data) {
      bytes += Files.size(dataset.resolve(file));
    }
    assertThat(report.get("bytes").longValue()).isEqualTo(bytes);
    String text = Cli.run("inspect", dataset).succeeds().text();
    assertThat(text)
        .containsPattern("(?m)^vectors +210$")
        .containsPattern("(?m)^bytes +" + bytes + " \\(1[3-5]\\.\\d KiB\\)$")
        .containsPattern("(?m)^bytes_of_values +13440 \\(13\\.1 KiB\\)$")
        .doesNotContain("null");
  }

  /** Padding is a hole on a local disk. */
  @Test
  void theSizeOnTheDiskIsThatOfTheBlocksOfFiles() throws IOException {
    Path padded =
        Cli.convert(Fixtures.small(), folder.resolve("out"), "saev --tokens-per-shard 2400000")
            .succeeds()
            .lastLinePath();
    JsonNode report = Cli.run("inspect", padded, "--json").succeeds().json();
    assertThat(report.get("bytes").longValue()).isGreaterThan(100_000_000);
    assertThat(report.get("bytes_on_disk").longValue()).isBetween(13_440L, 1_000_000L);
  }

  @Test
  void aMissingFileIsNamedAndTheTotalIsUnknown() throws IOException {
    Path dataset = Fixtures.copy(Fixtures.SMALL, folder);
    Files.delete(dataset.resolve("acts000001.bin"));
    Cli text = Cli.run("inspect", dataset).succeeds();
    assertThat(text.text()).contains("  acts000001.bin  2 examples  missing\n");
    JsonNode report = Cli.run("inspect", dataset, "--json").succeeds().json();
    assertThat(report.has("bytes")).isFalse();
    assertThat(report.at("/shards/1/missing").booleanValue()).isTrue();
  }

  /** Data of protocol 2.1 is a pickle, which another protocol carries in an envelope. */
  @Test
  void picklesInMetadataAreDescribedToAPerson() {
    Path source = Fixtures.saev("shards").resolve("64988989");
    String described = "<saev.data.datasets.ImgFolder, 116 bytes pickled>";
    assertThat(Cli.run("inspect", source).succeeds().text())
        .containsPattern("data +" + described + "\n");
    Cli older = Cli.convert(source, folder.resolve("older"), "saev --protocol 1.0.0").succeeds();
    assertThat(Cli.run("inspect", older.lastLinePath()).succeeds().text())
        .contains("{\"base64\":\"" + described + "\",");
    Cli newer =
        Cli.convert(Fixtures.small(), folder.resolve("newer"), "saev --protocol 2.1").succeeds();
    assertThat(Cli.run("inspect", newer.lastLinePath()).succeeds().text())
        .containsPattern(
            "data +\\{\"root\":\"/data/imgs/train\",\"__class__\":\"ImageFolder\"\\}\n");
  }

  @ParameterizedTest
  @CsvSource({
    "convert SRC --json,USAGE,2",
    "digest SRC --json --nonsense,USAGE,2",
    "digest --json SRC/nothing,NOT_FOUND,1",
    "cat SRC --json --example 70,BAD_SELECTION,1",
    "cat SRC --json --format hex --example 0,USAGE,2",
    "bench-keys SRC --key k --json,UNSUPPORTED,1"
  })
  void aFailureIsAnObjectToo(String command, String kind, int exit) throws IOException {
    String words = command.replace("SRC", Fixtures.small().toString());
    Cli cli = Cli.run((Object[]) words.split(" "));
    JsonNode error = cli.json().get("error");
    assertThat(cli.exitCode()).isEqualTo(exit);
    assertThat(cli.json().get("exit").intValue()).isEqualTo(exit);
    assertThat(error.get("kind").textValue()).isEqualTo(kind);
    assertThat(cli.stderr()).contains(error.get("message").textValue());
    assertThat(cli.stderr().lines()).hasSize(1);
  }
}
