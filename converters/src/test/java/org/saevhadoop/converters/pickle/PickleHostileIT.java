package org.saevhadoop.converters.pickle;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.dataset.write.InventedFiles;

/** Every hostile shard of the corpus, given to the commands that use its numbers. */
@Isolated
@RequiresCorpus
class PickleHostileIT {
  private static final Duration MAX_TIME = Duration.ofMinutes(1);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP =
      new SmallHeapCommands(
          List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"));

  /** Whoever only reads them is warned. */
  private static final Set<String> WARNED = Set.of("dup_sample_idx", "shape_field_mismatch");

  /** What {@code inspect} tells of metadata.json is no error of its own. */
  private static final Set<String> DIFFERENCES =
      Set.of("size_wrong", "num_samples_wrong", "layers_wrong");

  @TempDir Path folder;

  /** Those that need no process of their own. */
  static List<Arguments> cases() throws IOException {
    return PickleCorpusIT.badCases().stream().filter(c -> !isOfMemory(c) && !isRead(c)).toList();
  }

  static List<Arguments> memoryCases() throws IOException {
    return PickleCorpusIT.badCases().stream().filter(PickleHostileIT::isOfMemory).toList();
  }

  private static boolean isRead(Arguments testCase) {
    String name = ((JsonNode) testCase.get()[2]).get("name").asText();
    return PickleCorpusIT.NEGATIVE_LAYERS.contains(name);
  }

  private static boolean isOfMemory(Arguments testCase) {
    return testCase.get()[0].toString().startsWith("mem/");
  }

  @AfterEach
  void nothingIsWritten() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void itIsRefusedByAllThatReadsItsNumbers(String name, Path path, JsonNode testCase)
      throws IOException {
    Path to = folder.resolve("to");
    assertRefused(testCase, path, Cli.run("convert", path, to, "--to", "safetensors"));
    delete(to);
    assertRefused(testCase, path, Cli.run("cat", path, "--example", 0, "--format", "hex"));
    Cli inspect = Cli.run("inspect", path, "--json");
    if (DIFFERENCES.contains(testCase.get("name").asText())) {
      assertThat(inspect.succeeds().json().get("warnings").toString())
          .contains(testCase.get("error").asText());
    } else {
      assertRefused(testCase, path, inspect);
    }
    assertThat(Path.of("/tmp/pwn-canary", testCase.get("name").asText())).doesNotExist();
  }

  private static void assertRefused(JsonNode testCase, Path path, Cli cli) {
    List<String> words =
        List.of(testCase.get("error").asText().replaceAll("\\(.*\\)", "").split(" or "));
    boolean mayPass = words.stream().anyMatch(word -> word.strip().equals("OK"));
    if (mayPass || WARNED.contains(testCase.get("name").asText())) {
      if (cli.exitCode() != 0) {
        cli.failsWithText(path.toString());
      }
      return;
    }
    cli.failsWithText(path.toString());
    assertThat(words).anyMatch(word -> cli.stderr().contains(word.strip() + ": "));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("memoryCases")
  void littleMemoryAndTimeSufficeToRefuseIt(String name, Path path, JsonNode testCase)
      throws IOException, InterruptedException {
    Path to = folder.resolve("to");
    run(testCase, path, "convert", path, to, "--to", "safetensors");
    delete(to);
    run(testCase, path, "inspect", path);
  }

  private static void run(JsonNode testCase, Path path, Object... command)
      throws IOException, InterruptedException {
    Cli cli = SMALL_HEAP.run(MAX_TIME, command);
    List<String> said = Stream.concat(cli.stderr().lines(), cli.text().lines()).collect(toList());
    said.removeIf(line -> line.matches("(convert|unpack|warning): .*"));
    List<String> words = List.of(testCase.get("error").asText().split(" or "));
    if (words.contains("OK") && cli.exitCode() == 0) {
      return;
    }
    assertThat(cli.exitCode()).as(said.toString()).isEqualTo(1);
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).startsWith(path.toString());
    if (!words.contains("OK")) {
      assertThat(words).anyMatch(word -> said.get(0).contains(word + ": "));
    }
  }

  private static void delete(Path dataset) throws IOException {
    if (Files.exists(dataset)) {
      InventedFiles.delete(dataset);
    }
  }
}
