package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** Every dataset of the corpus that the project's own writer left, through the command line. */
@RequiresCorpus
class CorpusIT extends ConvertedDatasets {
  // the metadata quoted there may hold NaN, as Python writes it
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature());

  static List<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    for (String generation : List.of("v1", "v100", "v11", "v20", "v21")) {
      try (Stream<Path> folders = Files.list(Corpus.part("saev/" + generation))) {
        folders.sorted().forEach(f -> cases.add(Arguments.of(generation, f.getFileName(), f)));
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("cases")
  void aCaseIsInspectedReadAndConvertedThereAndBack(String generation, Path name, Path testCase)
      throws IOException {
    JsonNode expected = JSON.readTree(testCase.resolve("expected.json").toFile());
    Path dataset = testCase.resolve(expected.get("dataset_dir").asText());
    inspectAgrees(dataset, expected);
    vectorsAgree(dataset, expected);
    for (String columns : List.of("layers", "acts")) {
      Path tensors =
          convert(dataset, columns, "safetensors --columns " + columns + " --batch-size 2");
      Path back = convert(tensors, columns + "-back", "saev");
      Fixtures.assertSameDataset(back, dataset);
      assertThat(digest(tensors)).isEqualTo(digest(dataset));
    }
  }

  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource("cases")
  void aCaseIsMigratedToTheCurrentProtocolAndBack(String generation, Path name, Path testCase)
      throws IOException {
    JsonNode expected = JSON.readTree(testCase.resolve("expected.json").toFile());
    Path dataset = testCase.resolve(expected.get("dataset_dir").asText());
    JsonNode source = Cli.run("inspect", dataset, "--json").json();
    String protocol = source.get("protocol").asText();
    String other = protocol.equals("2.1") ? "legacy" : "2.1";
    Path there = convert(dataset, "there", "saev --protocol " + other);
    JsonNode report = Cli.run("inspect", there, "--json").succeeds().json();
    assertThat(report.get("protocol").asText()).isEqualTo(other);
    assertThat(report.get("hash_matches").asBoolean()).isTrue();
    assertThat(there.getParent().endsWith("saev/shards")).isEqualTo(other.equals("2.1"));
    assertThat(digest(there)).isEqualTo(digest(dataset));
    Path back = convert(there, "back", "saev --protocol " + protocol);
    assertThat(back.getFileName()).hasToString(source.get("hash").asText());
    assertThat(digest(back)).isEqualTo(digest(dataset));
  }

  private static void inspectAgrees(Path dataset, JsonNode expected) throws IOException {
    JsonNode report = Cli.run("inspect", dataset, "--json").succeeds().json();
    JsonNode derived = expected.get("derived");
    assertThat(report.get("examples")).isEqualTo(derived.get("n"));
    assertThat(report.get("tokens")).isEqualTo(derived.get("T"));
    assertThat(report.get("dim")).isEqualTo(derived.get("D"));
    assertThat(report.get("layers")).isEqualTo(expected.get("metadata").get("layers"));
    boolean recomputable = !expected.get("hash_rule").isNull();
    assertThat(report.get("hash_matches").asBoolean()).isEqualTo(recomputable);
    if (recomputable) {
      assertThat(report.get("hash")).isEqualTo(expected.get("hash_dir"));
    } else {
      assertThat(report.get("warnings").toString()).contains("integer keys");
    }
    List<Long> counts = new ArrayList<>();
    report.get("shards").forEach(shard -> counts.add(shard.get("examples").asLong()));
    if (expected.get("shards_json").isNull()) {
      assertThat(counts.stream().mapToLong(c -> c).sum()).isEqualTo(derived.get("n").asLong());
    } else {
      List<Long> listed = new ArrayList<>();
      for (JsonNode shard : expected.get("shards_json")) {
        listed.add(shard.path("n_imgs").asLong(shard.path("n_examples").asLong()));
      }
      assertThat(counts).isEqualTo(listed);
    }
  }

  private static void vectorsAgree(Path dataset, JsonNode expected) {
    Set<String> lines = new HashSet<>();
    Set<Integer> examples = new HashSet<>();
    expected.get("vectors").forEach(vector -> examples.add(vector.get("img").asInt()));
    for (int example : examples) {
      Cli.run("cat", dataset, "--example", example, "--format", "hex")
          .succeeds()
          .text()
          .lines()
          .forEach(lines::add);
    }
    for (JsonNode vector : expected.get("vectors")) {
      assertThat(lines)
          .contains(
              "%d %d %d %s"
                  .formatted(
                      vector.get("img").asInt(),
                      vector.get("layer").asInt(),
                      vector.get("token_idx").asInt(),
                      vector.get("hex").asText()));
    }
  }
}
