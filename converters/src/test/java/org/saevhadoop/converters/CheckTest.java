package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.header.SafetensorsError;

/** {@code verify --structure}: what safetensors-spark left behind, and what we write. */
@Tag("late")
class CheckTest extends ConvertedDatasets {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch_drop",
        "batch_shapes_noindex",
        "batch_write",
        "dtype_F16",
        "dtype_F32",
        "dtype_I64",
        "dtype_U8",
        "kv_index",
        "tensor_struct",
        "bad_outputs/pad"
      })
  @RequiresCorpus
  void soundOutputsOfSparkHaveNoProblem(String name) {
    Cli cli = Cli.run("verify", "--structure", Corpus.part("safetensors-spark").resolve(name));
    assertThat(cli.findsNoProblem().stderr()).isEmpty();
  }

  @Test
  @RequiresCorpus
  void keysOfAnotherSeparatorAreSoundOnceItIsKnown() {
    Path dataset = Corpus.part("safetensors-spark").resolve("kv_f16_sep_columns");
    assertThat(Cli.run("verify", dataset, "--structure").text())
        .contains("keys need --from-separator if their separator is not __");
    Cli.run("verify", dataset, "--structure", "--from-separator", "/").findsNoProblem();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "empty|1|shards is empty",
        "bad_outputs/app|4|is an orphan of 711 bytes",
        "bad_outputs/failj|5|is missing (expected by dataset_manifest.json)",
        "bad_outputs/failj|5|is an orphan of 0 bytes",
        "bad_outputs/ragged|1|tensor `value` has 72 bytes",
        "bad_outputs/shapes|2|TensorInvalidInfo",
        "bad_outputs/retype|1|TensorInvalidInfo",
        "bad_outputs/meta|1|InvalidHeaderDeserialization",
        "bad_outputs/dupl|1|holds 1 example (expected 3, as in dataset_manifest.json)",
        "bad_outputs/dupx|2|the id `k` is in",
        "bad_outputs/dupx|2|has several entries for 1 key, such as \"k__value\"",
      })
  @RequiresCorpus
  void badOutputsOfSparkNameTheirFault(String name, int problems, String part) throws IOException {
    Path dataset = Corpus.part("safetensors-spark").resolve(name);
    Cli cli = Cli.run("verify", dataset, "--structure");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.errors()).hasSize(problems).anyMatch(line -> line.contains(part));
    JsonNode json = Cli.run("verify", dataset, "--structure", "--json").json();
    assertThat(json.get("path").asText()).isEqualTo(dataset.toString());
    List<String> told = new ArrayList<>();
    json.get("findings").forEach(finding -> told.add(line(finding)));
    assertThat(told).isEqualTo(findings(cli));
  }

  /** Returns the line that a check prints for a finding in its JSON. */
  private static String line(JsonNode finding) {
    String line =
        String.join(
                " ",
                finding.get("severity").asText(),
                finding.get("kind").asText(),
                finding.get("path").asText())
            + ": "
            + finding.get("problem").asText();
    line += finding.get("where").isNull() ? "" : ", " + finding.get("where").asText();
    return finding.get("expected").isNull()
        ? line
        : line + " (expected " + finding.get("expected").asText() + ")";
  }

  /** Returns the lines of all findings. */
  private static List<String> findings(Cli cli) {
    return cli.text().lines().filter(line -> line.matches("(error|warning) .*")).toList();
  }

  @Test
  void theJsonOfACheckHasKindPathAndExpectationOfEachProblem() throws IOException {
    Path out = convert(Fixtures.small(), "out", "safetensors --batch-size 2");
    Path missing = NaiveTensors.parts(out).get(0);
    Files.delete(missing);
    Cli cli = Cli.run("verify", out, "--structure", "--json");
    assertThat(cli.exitCode()).isEqualTo(1);
    JsonNode problem = cli.json().get("findings").get(0);
    assertThat(problem.get("kind").asText()).isEqualTo("MISSING_FILE");
    assertThat(problem.get("path").asText()).isEqualTo(missing.toString());
    assertThat(problem.get("problem").asText()).isEqualTo("is missing");
    assertThat(problem.get("expected").asText()).isEqualTo("by dataset_manifest.json");
    assertThat(cli.json().get("findings"))
        .extracting(CheckTest::line)
        .isEqualTo(findings(Cli.run("verify", out, "--structure")));
  }

  @Test
  void anIndexOfOtherFilesIsStale() throws IOException {
    Path source = Fixtures.small();
    Path out = convert(source, "out", "safetensors --kv");
    byte[] index = Files.readAllBytes(out.resolve("_tensor_index.parquet"));
    Cli.convert(source, out, "safetensors --kv --kv-separator :: --overwrite").succeeds();
    Files.write(out.resolve("_tensor_index.parquet"), index);
    Cli cli = Cli.run("verify", out, "--structure");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.text()).contains("_tensor_index.parquet: is stale: ");
  }

  @Test
  void aFileIsCheckedAsTheReferenceDoesIfSoAsked() throws IOException {
    String twice = "\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}";
    Path file =
        SmallFile.write(folder.resolve("x.safetensors"), "{" + twice + "," + twice + "}", 2);
    Cli.run("inspect", file).failsWith(SafetensorsError.InvalidHeaderDeserialization, file);
    assertThat(Cli.problems(file)).startsWith("error InvalidHeaderDeserialization " + file + ": ");
    Cli.run("verify", file, "--structure", "--lenient").findsNoProblem();
  }

  @Test
  void aSaevDatasetNamesEachOfItsFaults() throws IOException {
    Path dataset = Fixtures.copy(Fixtures.SMALL, folder);
    Files.delete(dataset.resolve("acts000001.bin"));
    Files.write(dataset.resolve("acts000003.bin"), new byte[10]);
    Files.write(dataset.resolve("acts000000.examples.jsonl.gz"), new byte[] {1, 2, 3});
    Cli cli = Cli.run("verify", dataset, "--structure");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.errors())
        .hasSize(2)
        .anyMatch(line -> line.contains(" " + dataset + "/acts000001.bin: is missing"))
        .anyMatch(line -> line.contains(" " + dataset + "/acts000003.bin: has 10 bytes"));
    Fixtures.copy(Fixtures.SMALL, Files.createDirectory(folder.resolve("again")));
    Path again = folder.resolve("again").resolve(Fixtures.SMALL);
    Files.write(again.resolve("acts000000.examples.jsonl.gz"), new byte[] {1, 2, 3});
    assertThat(Cli.run("verify", again, "--structure").errors())
        .singleElement()
        .asString()
        .contains(" " + again + "/acts000000.examples.jsonl.gz: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {Fixtures.SMALL, Fixtures.D768, "shards/64988989"})
  void saevIsCheckedToo(String hash) throws IOException {
    Path source = Fixtures.copy(hash, folder);
    Cli.run("verify", source, "--structure").findsNoProblem();
    Files.delete(source.resolve("acts000001.bin"));
    Cli cli = Cli.run("verify", source, "--structure");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.text()).contains("acts000001.bin").contains("missing");
  }
}
