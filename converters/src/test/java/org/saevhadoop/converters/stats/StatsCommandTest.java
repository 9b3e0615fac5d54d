package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;

/** What {@code stats} prints and writes. */
class StatsCommandTest {
  private static final float NAN = Float.NaN;
  private static final float INF = Float.POSITIVE_INFINITY;

  @TempDir Path folder;

  /** Returns a dataset of 2 examples, 2 tokens and 3 dims; dimension 2 is dead. */
  private Path faulty() throws Exception {
    float[] values = {3, 4, 0, 0, 0, 0, NAN, 1, 0, INF, -INF, 0};
    return StatsDatasets.write(folder.resolve("faulty.safetensors"), Map.of(0, values), 2, 2, 3);
  }

  @Test
  void theTextHasAParagraphForALayer() throws Exception {
    assertThat(Cli.run("stats", faulty()).succeeds().text())
        .isEqualTo(
            """
            1 NaN at example 1, token 0, dim 0; 2 infinite values, first at example 1, token
              1, dim 0; 1 zero vector at example 0, token 1; 1 dead dim: 2
            2 examples, 2 tokens, 3 dims

            layer 0: 4 vectors
              norm          mean 2.5, RMS 3.5355, from 0 to 5
                        5 to    5.0313             1 #######################################
              by token      0: 5  1: 0
              scale         0.4899, centered 0.76406
              cosine        no pairs
              NaN           1, first at example 1, token 0, dim 0
              Inf           2, first at example 1, token 1, dim 0
              zero vectors  1, first at example 0, token 1
              dead dims     1: 2
              none          dominant dims
            """);
  }

  @Test
  void manyLayersHaveALineEach() throws Exception {
    Path dataset = StatsDatasets.random(folder.resolve("many.safetensors"), 48, 4, 5, 6);
    List<String> lines = Cli.run("stats", dataset).succeeds().text().lines().toList();
    assertThat(lines).hasSize(55).allMatch(line -> line.length() <= 80);
    assertThat(lines.subList(0, 5))
        .containsExactly(
            "1 dominant dim in 34 of 48 layers: 1; token 0 in 47 of 48 layers: norms of up to",
            "  49 times the median",
            "4 examples, 5 tokens, 6 dims",
            "",
            "layer  mean norm        max      scale    cosine  unusual");
    assertThat(lines.get(5)).startsWith("    0 ");
    assertThat(lines.get(53)).isEmpty();
    assertThat(lines.get(54)).isEqualTo("--layers with up to 4 layers prints more of each.");
    assertThat(Cli.run("stats", dataset, "--layers", "7").succeeds().text()).contains("layer 7: ");
  }

  @Test
  void whatIsUnusualInSomeLayersIsCounted() throws Exception {
    float[] usual = {1, 2, 3, 2, 3, 1, 3, 1, 2};
    float[] sink = {9, 20, 30, 1, 2, 3, NAN, NAN, 3};
    Path file = folder.resolve("some.safetensors");
    StatsDatasets.write(file, Map.of(3, usual, 7, sink, 9, sink), 1, 3, 3);
    assertThat(Cli.run("stats", file).succeeds().text())
        .startsWith("4 NaN in 2 of 3 layers, first at layer 7, example 0, token 2, dim 0\n");
    Path tokens = folder.resolve("tokens.safetensors");
    float[] four = {9, 20, 30, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    StatsDatasets.write(tokens, Map.of(3, four), 1, 4, 3);
    assertThat(Cli.run("stats", tokens).succeeds().text())
        .startsWith("token 0: norms of up to 9.9 times the median\n");
    StatsDatasets.write(file, Map.of(3, usual), 1, 3, 3);
    assertThat(Cli.run("stats", file).succeeds().text()).startsWith("nothing unusual\n");
  }

  @Test
  void theJsonHasTheSameFigures() throws Exception {
    JsonNode json = Cli.run("stats", faulty(), "--json").succeeds().json();
    JsonNode layer = json.at("/layers/0");
    assertThat(json.at("/examples").intValue()).isEqualTo(2);
    assertThat(layer.at("/norm/mean").doubleValue()).isEqualTo(2.5);
    assertThat(layer.at("/norm/quantiles/0.5").isMissingNode()).isFalse();
    assertThat(layer.get("nan").intValue()).isEqualTo(1);
    assertThat(layer.get("first_inf").toString())
        .isEqualTo("{\"example\":1,\"token\":1,\"dim\":0}");
    assertThat(layer.get("first_zero_vectors").toString()).isEqualTo("{\"example\":0,\"token\":1}");
    assertThat(layer.get("dead_dims").toString()).isEqualTo("[2]");
    assertThat(layer.get("dominant").intValue()).isZero();
    assertThat(layer.has("variance")).isFalse();
    assertThat(layer.at("/cosine").has("mean")).isFalse();
  }

  @Test
  void valuesThatDoNotExistAreTextInArrays() throws Exception {
    Path dataset = folder.resolve("nan.safetensors");
    StatsDatasets.write(dataset, Map.of(0, new float[] {NAN, 1, NAN, 3}), 2, 1, 2);
    JsonNode layer =
        Cli.run("stats", dataset, "--json", "--vectors").succeeds().json().at("/layers/0");
    assertThat(layer.get("mean").toString()).isEqualTo("[\"NaN\",2.0]");
    assertThat(layer.get("variance").toString()).isEqualTo("[\"NaN\",1.0]");
    assertThat(layer.get("norm_by_token").toString()).isEqualTo("[\"NaN\"]");
    assertThat(layer.get("norm").has("mean")).isFalse();
  }

  @Test
  void theTextIsAsciiInLinesOf80Characters() throws Exception {
    Path dataset = Fixtures.labelled(Fixtures.SMALL, folder);
    String text = Cli.run("stats", dataset).succeeds().text();
    assertThat(text.lines()).allMatch(line -> line.matches("[ -~]{0,80}"));
    assertThat(text).contains("by label", "layer 13: 70 vectors", "random pairs)");
  }

  @Test
  void filesAreWrittenForOtherPrograms() throws Exception {
    Path tensors = folder.resolve("stats.safetensors");
    Path documents = folder.resolve("documents");
    Path page = folder.resolve("page.html");
    Object[] files = {"--report", page, "--to-safetensors", tensors, "--statistics", documents};
    List<String> lines = Cli.run("stats", faulty(), files).succeeds().text().lines().toList();
    assertThat(lines).endsWith("" + tensors, "" + documents, "" + page);
    JsonNode json = Cli.run("stats", faulty(), files, "--overwrite", "--json").succeeds().json();
    assertThat(json.get("path").asText()).isEqualTo(faulty().toString());
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(tensors)).order(ByteOrder.LITTLE_ENDIAN);
    String header = new String(file.array(), 8, (int) file.getLong(), StandardCharsets.UTF_8);
    assertThat(header).contains("layer_0.mean", "layer_0.scale_centered", "\"F64\"");
    assertThat(Files.readString(documents.resolve("layer_0/statistics.json")))
        .startsWith("{\"mean\": [1.5, 1.666");
  }

  @Test
  void filesThatExistAreReplacedOnlyWithOverwrite() throws Exception {
    Path page = Files.writeString(folder.resolve("page.html"), "mine");
    Path documents = Files.createDirectory(folder.resolve("documents"));
    Cli.run("stats", faulty(), "--statistics", documents).succeeds();
    Cli.run("stats", faulty(), "--report", page).failsWith(FileError.ALREADY_EXISTS, page);
    Cli.run("stats", faulty(), "--to-safetensors", page).failsWith(FileError.ALREADY_EXISTS, page);
    Cli.run("stats", faulty(), "--statistics", documents)
        .failsWith(FileError.ALREADY_EXISTS, documents);
    Cli.run("stats", faulty(), "--statistics", page).failsWith(FileError.NOT_A_FOLDER, page);
    assertThat(page).hasContent("mine");
    Cli.run("stats", faulty(), "--overwrite", "--report", page, "--statistics", documents)
        .succeeds();
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>");
  }

  @Test
  void aDryRunWritesNothing() throws Exception {
    Path page = folder.resolve("page.html");
    Cli run = Cli.run("stats", faulty(), "--report", page, "--dry-run").succeeds();
    assertThat(run.text()).contains("map-only").doesNotContain("layer 0");
    assertThat(page).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0%", "1.01", "101%", "x", "%", "NaN", "-1%"})
  void aSampleThatIsNoShareIsRefused(String share) throws Exception {
    Cli.run("stats", faulty(), "--sample", share)
        .failsAsUsage("--sample is " + share, "at most 1, or 100%");
  }

  @Test
  void aSampleIsExamplesThatTheSeedChooses() throws Exception {
    Path dataset = StatsDatasets.random(folder.resolve("acts.safetensors"), 1, 50, 2, 3);
    String text = Cli.run("stats", dataset, "--sample", "20%").succeeds().text();
    assertThat(text).contains("10 of 50 examples", "layer 0: 20 vectors");
    assertThat(Stream.of("0", "1", "2").map(seed -> meanNorm(dataset, seed)).distinct()).hasSize(3);
    assertThat(meanNorm(dataset, "1")).isEqualTo(meanNorm(dataset, "1"));
  }

  private static String meanNorm(Path dataset, String seed) {
    Cli run = Cli.run("stats", dataset, "--sample", "0.2", "--seed", seed, "--json");
    return run.succeeds().text().lines().filter(line -> line.contains("\"rms\"")).toList().get(0);
  }

  @Test
  void vectorsNeedJson() throws Exception {
    Cli.run("stats", faulty(), "--vectors").failsAsUsage("(expected --json)");
  }
}
