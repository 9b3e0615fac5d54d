package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** Every pickled shard of the corpus, good and hostile, through the command line. */
@RequiresCorpus
class PickleCorpusIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The corpus lets them be refused, but saev counts layers from the end: -2 is its default. */
  static final Set<String> NEGATIVE_LAYERS = Set.of("key_neg_int", "key_layer_neg");

  /** What fits the word of the corpus, which may be an error, or several, or none. */
  private record Outcome(Set<String> errors, boolean mayPass) {
    static Outcome of(JsonNode testCase) {
      Set<String> errors = new TreeSet<>();
      boolean mayPass = false;
      for (String word : testCase.get("error").asText().replaceAll("\\(.*\\)", "").split(" or ")) {
        mayPass |= word.strip().equals("OK");
        errors.add(word.strip());
      }
      return new Outcome(errors, mayPass);
    }
  }

  static List<Arguments> goodCases() throws IOException {
    try (Stream<Path> folders = Files.list(Corpus.part("pickle"))) {
      return folders
          .filter(Files::isDirectory)
          .sorted()
          .map(folder -> Arguments.of(folder.getFileName(), folder))
          .toList();
    }
  }

  static List<Arguments> badCases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    Path part = Corpus.part("pickle-bad");
    for (JsonNode testCase : JSON.readTree(part.resolve("cases.json").toFile())) {
      String file = testCase.get("file").asText();
      cases.add(Arguments.of(file, part.resolve(file), testCase));
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("goodCases")
  void everyArrayOfAGoodDatasetIsListedAsItWasRecorded(Path name, Path folder) throws IOException {
    JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
    Cli list = Cli.run("list", folder, "--json", "--digests");
    if (list.exitCode() != 0 && expected.get("expect").asText().equals("ok-or-clear-error")) {
      list.failsWithText(folder.toString());
      return;
    }
    assertThat(list.succeeds().text().lines().map(PickleCorpusIT::line).toList())
        .containsExactlyInAnyOrderElementsOf(lines(expected));
  }

  private static String line(String text) {
    try {
      JsonNode line = JSON.readTree(text);
      return line(line.get("file").asText(), line, line, "digest");
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  private static String line(String file, JsonNode layer, JsonNode sample, String digest) {
    return String.join(
        " ",
        file,
        layer.get("layer").asText(),
        sample.get("sample_idx").asText(),
        sample.get("shape").toString(),
        sample.get("dtype").asText(),
        sample.get(digest).asText());
  }

  private static List<String> lines(JsonNode expected) {
    List<String> lines = new ArrayList<>();
    for (JsonNode shard : expected.get("shards")) {
      for (JsonNode layer : shard.get("layers")) {
        for (JsonNode sample : layer.get("samples")) {
          String file = shard.get("filename").asText();
          lines.add(line(file, layer, sample, "sha256_c_le"));
        }
      }
    }
    return lines;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badCases")
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aHostileShardIsRefusedInALineThatNamesItsFault(String name, Path path, JsonNode testCase) {
    Outcome outcome = Outcome.of(testCase);
    Cli list = Cli.run("list", path, "--json", "--digests");
    if (list.exitCode() == 0) {
      boolean warned = outcome.errors().stream().anyMatch(list.stderr()::contains);
      boolean mayWarn = testCase.get("required").asText().contains("read: ");
      boolean negative = NEGATIVE_LAYERS.contains(testCase.get("name").asText());
      assertThat(outcome.mayPass() || mayWarn && warned || negative)
          .as(testCase + list.text())
          .isTrue();
      return;
    }
    assertThat(list.exitCode()).isEqualTo(1);
    List<String> said =
        list.stderr()
            .lines()
            .filter(line -> !line.startsWith("warning: ") && !line.startsWith("list: ")) // progress
            .toList();
    assertThat(said).isNotEmpty().allMatch(line -> line.startsWith(path.toString()));
    assertThat(said).anyMatch(line -> outcome.errors().stream().anyMatch(line::contains));
  }
}
