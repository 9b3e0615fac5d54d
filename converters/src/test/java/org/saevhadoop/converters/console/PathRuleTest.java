package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;

/** What a path means is the same for all commands: each command with each kind of path. */
@Tag("late")
@Tag("sampled")
class PathRuleTest {
  /** Commands with P for the path, D for a dataset and OUT for a path that is free. */
  private static final List<String> COMMANDS =
      List.of(
          "inspect P",
          "verify P --structure",
          "list P",
          "verify P",
          "stats P",
          "stats P --dry-run",
          "digest P",
          "digest P --save=OUT",
          "cat P --example 0 --layer 13",
          "bench P --seconds 0.01 --rounds 1",
          "bench-keys P --key 0__layer_13 --fetches 2",
          "convert P OUT --to npy",
          "convert P OUT --to npy --dry-run",
          "shuffle P OUT --to npy",
          "shuffle P OUT --to npy --dry-run",
          "diff P D",
          "diff D P");

  /** Paths, and what follows them in the only line of the answer; a note if they are read. */
  private static final Map<String, String> PATHS =
      new TreeMap<>(
          Map.of(
              "acts", "",
              "one", "note: reading PATH/deep/acts, the only dataset found in PATH",
              "two", "contains 2 datasets, but is not one itself (expected one of them)",
              "acts/dataset_manifest.json",
                  "is a part of a safetensors dataset (expected its folder: @/acts)",
              "other", "has an unknown format (expected metadata.json from saev, ",
              "empty", "is empty (expected metadata.json from saev, dataset_manifest.json, ",
              "missing", "no such file or directory"));

  private static final AtomicInteger OUTPUTS = new AtomicInteger();

  @TempDir static Path folder;

  @BeforeAll
  static void writePaths() throws IOException {
    Path acts = folder.resolve("acts");
    Cli.convert(Fixtures.small(), acts, "safetensors --kv").succeeds();
    for (String copy : List.of("one/deep/acts", "two/a", "two/b")) {
      Files.createDirectories(folder.resolve(copy));
      try (Stream<Path> files = Files.list(acts)) {
        for (Path file : files.toList()) {
          Files.copy(file, folder.resolve(copy).resolve(file.getFileName()));
        }
      }
    }
    Files.createDirectory(folder.resolve("empty"));
    Files.writeString(
        Files.createDirectory(folder.resolve("other")).resolve("a.csv"), "a,b\n1,2\n");
    for (String path : PATHS.keySet()) {
      Files.createSymbolicLink(link(path), folder.resolve(path));
    }
  }

  private static Path link(String path) {
    return folder.resolve("link-" + path.replace('/', '-'));
  }

  static Stream<String> commands() {
    return COMMANDS.stream();
  }

  private static Cli run(String command, Path path) {
    Path out = folder.resolve("out" + OUTPUTS.incrementAndGet());
    return Cli.run(
        Stream.of(command.split(" "))
            .map(
                word ->
                    word.replace("OUT", out.toString())
                        .replaceFirst("^P$", path.toString())
                        .replaceFirst("^D$", folder + "/acts"))
            .toArray());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aPathMeansTheSameToAllCommands(String command) {
    PATHS.forEach(
        (name, expected) -> {
          check(command, folder.resolve(name), expected);
          if (!TestExtent.isWhole() && (command.length() + name.length()) % 3 > 0) {
            return; // as it does by way of a link
          }
          boolean isPart = expected.startsWith("is a part"); // which the name of a link hides
          check(command, link(name), isPart ? "is a JSON document, which is not read" : expected);
        });
  }

  private static void check(String command, Path path, String expected) {
    Cli cli = run(command, path);
    String said = expected.replace("PATH", path.toString()).replace("@", folder.toString());
    String what = command + " with " + path + ": " + cli.stderr();
    if (said.isEmpty() || said.startsWith("note")) {
      assertThat(cli.exitCode()).as(what).isZero();
      assertThat(cli.stderr().lines().filter(line -> line.startsWith("note: reading")))
          .as(what)
          .isEqualTo(said.isEmpty() ? List.of() : List.of(said));
      return;
    }
    assertThat(cli.exitCode()).as(what).isEqualTo(command.matches("(diff|verify) .*") ? 3 : 1);
    assertThat(cli.text()).as(what).isEmpty();
    assertThat(cli.stderr()).as(what).startsWith(path + ": " + said);
    long commands =
        cli.stderr().lines().filter(line -> line.startsWith("    saev-hadoop ")).count();
    assertThat(commands).as(what).isEqualTo(said.startsWith("contains 2") ? 2 : 0);
    assertThat(cli.stderr().lines()).as(what).hasSize(1 + (int) commands);
  }
}
