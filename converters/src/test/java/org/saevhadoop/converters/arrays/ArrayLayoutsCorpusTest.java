package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** Layouts of arrays of real programs in the corpus, as they are converted without options. */
@RequiresCorpus
class ArrayLayoutsCorpusTest {
  private static final Pattern EXPECTED = Pattern.compile("exp(\\d+)_(-?\\d+)\\.npy");

  @TempDir Path folder;

  static List<Path> cases() throws IOException {
    try (Stream<Path> folders = Files.list(Corpus.part("arrays"))) {
      return folders.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aLayoutIsConvertedRightlyOrRefused(Path folderOfCase) throws IOException {
    JsonNode layout = new ObjectMapper().readTree(folderOfCase.resolve("case.json").toFile());
    List<Object> words = new ArrayList<>();
    words.add("convert");
    words.add(folderOfCase.resolve("in").resolve(layout.get("path").asText()));
    Path out = folder.resolve("out");
    words.add(out);
    String to = "npy";
    for (JsonNode option : layout.get("opts")) {
      if (option.asText().startsWith("TO=")) {
        to = option.asText().substring("TO=".length());
      } else {
        words.add(option.asText());
      }
    }
    words.addAll(List.of("--to", to));
    Cli cli = Cli.run(words.toArray());
    String expected = layout.get("default").asText();
    if (expected.equals("right")) {
      cli.succeeds();
    }
    if (!expected.equals("any") && cli.exitCode() == 0 && layout.get("sets").asInt() > 0) {
      assertThat(ConvertTest.digest(out)).isIn(expectedDigests(folderOfCase));
    }
    assertThat(cli.exitCode()).as(cli.stderr()).isIn(0, 1);
    if (cli.exitCode() != 0 && !layout.get("refuse").isNull()) {
      assertThat(cli.stderr()).containsPattern(layout.get("refuse").asText());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aCommandThatInspectProposesLeadsToTheArrays(Path folderOfCase) throws Exception {
    JsonNode layout = new ObjectMapper().readTree(folderOfCase.resolve("case.json").toFile());
    String advice = layout.get("advice").asText();
    assumeThat(advice).isNotEqualTo("none");
    List<ProposedCommand> proposed =
        ProposedCommand.of(folderOfCase.resolve("in").resolve(layout.get("path").asText()));
    List<String> found = new ArrayList<>();
    for (ProposedCommand command : proposed) {
      List<Object> words = new ArrayList<>(command.words());
      for (String option : List.of("--family", "--ckpt")) { // of saev alone
        int at = words.indexOf(option);
        if (at > 0) {
          words.subList(at, at + 2).clear();
        }
      }
      Path out = folder.resolve("out" + found.size());
      words.set(2, out);
      words.set(words.indexOf("--to") + 1, "npy");
      Cli cli = Cli.run(words.toArray());
      found.add(cli.exitCode() == 0 ? ConvertTest.digest(out) : "refused");
    }
    List<String> expected = expectedDigests(folderOfCase);
    assertThat(advice.equals("first") ? found.subList(0, 1) : found)
        .as("%s", proposed)
        .containsAnyElementsOf(expected);
    if (!layout.get("advice_re").isNull()) {
      assertThat(proposed.toString()).containsPattern(layout.get("advice_re").asText());
    }
  }

  private List<String> expectedDigests(Path folderOfCase) throws IOException {
    try (Stream<Path> files = Files.list(folderOfCase)) {
      for (Path file : files.toList()) {
        Matcher name = EXPECTED.matcher(file.getFileName().toString());
        if (name.matches()) {
          Path set = Files.createDirectories(folder.resolve("set" + name.group(1)));
          Files.copy(file, set.resolve("layer_" + name.group(2) + ".npy"));
        }
      }
    }
    List<String> digests = new ArrayList<>();
    try (Stream<Path> sets = Files.list(folder)) {
      for (Path set : sets.filter(s -> s.getFileName().toString().startsWith("set")).toList()) {
        digests.add(ConvertTest.digest(set));
      }
    }
    return digests;
  }
}
