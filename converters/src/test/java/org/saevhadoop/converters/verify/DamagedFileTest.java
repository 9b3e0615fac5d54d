package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.storage.LocalTree;

/** An error names the one file of several that is damaged, not its folder. */
@Tag("late")
@Tag("sampled")
class DamagedFileTest {
  /** Commands with P for the damaged dataset, D for a sound copy and OUT for a path to write. */
  private static final List<String> COMMANDS =
      List.of(
          "verify P",
          "list P",
          "digest P",
          "stats P",
          "diff P D",
          "convert P OUT --to npy",
          "shuffle P OUT --to npy");

  /** Datasets of several files, by the options of the conversion that writes them. */
  private static final Map<String, String> WRITTEN =
      new TreeMap<>(
          Map.of(
              "saev", "saev --tokens-per-shard 40",
              "safetensors", "safetensors --batch-size 2 --index",
              "samediff", "samediff --max-shard-bytes 5000",
              "npy", "npy --max-npy-bytes 2000",
              "bare", "npy --max-npy-bytes 2000"));

  private static final String DOCUMENT = ".*\\.(json|parquet|bin\\.gz)|labels.*";
  private static final List<String> DAMAGES = List.of("half", "empty", "text", "missing");

  /** A dataset without a list of its files: if one is missing, the others are the dataset. */
  private static final String UNLISTED = "bare";

  @TempDir static Path shared;
  @TempDir Path folder;
  private int turn;

  @BeforeAll
  static void writeSources() throws IOException {
    Path labelled = Fixtures.labelled(Fixtures.SMALL, shared);
    for (Map.Entry<String, String> source : WRITTEN.entrySet()) {
      Path to = shared.resolve("written-" + source.getKey());
      Cli cli = Cli.convert(labelled, to, source.getValue()).succeeds();
      Files.move(cli.lastLinePath(), shared.resolve(source.getKey()));
    }
    Files.delete(shared.resolve("bare/saev-arrays.json"));
    copy(Fixtures.pickle("spec"), shared.resolve("pickle"));
    for (Path file : files(shared.resolve("bare"))) {
      if (file.getFileName().toString().startsWith("labels")) {
        Files.delete(file);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    for (Path file : files(from)) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  static Stream<String> sources() {
    return Stream.concat(WRITTEN.keySet().stream(), Stream.of("pickle"));
  }

  private static void damage(Path file, String how) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case "half" -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case "empty" -> Files.write(file, new byte[0]);
      case "text" -> Files.writeString(file, "hello\n");
      default -> Files.delete(file);
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void theFileIsNamedByAllCommands(String source) throws IOException {
    List<Path> data =
        files(shared.resolve(source)).stream()
            .filter(file -> !file.getFileName().toString().matches(DOCUMENT))
            .toList();
    assertThat(data).hasSizeGreaterThan(1);
    for (Path file : files(shared.resolve(source))) {
      boolean isDocument = !data.contains(file);
      if (isDocument || file.equals(data.get(data.size() / 2))) {
        for (String how : DAMAGES) {
          // a folder without its document is not that dataset
          if (!how.equals("missing") || !isDocument && !source.equals(UNLISTED)) {
            runAll(source, file.getFileName().toString(), how);
          }
        }
      }
    }
  }

  private void runAll(String source, String file, String how) throws IOException {
    Path copy = folder.resolve("copy");
    copy(shared.resolve(source), copy);
    damage(copy.resolve(file), how);
    for (int i = 0; i < TestExtent.of(2, COMMANDS.size()); i++) {
      String command = COMMANDS.get((turn + i * 3) % COMMANDS.size());
      Object[] words =
          command
              .replace("P", copy.toString())
              .replace("OUT", folder + "/out")
              .replace("D", shared.resolve(source).toString())
              .split(" ");
      String what = source + ": " + command + " of " + file + " " + how;
      check(what, Cli.run(words), command.startsWith("verify"), copy.resolve(file));
      if (Files.exists(folder.resolve("out"))) {
        LocalTree.delete(folder.resolve("out"));
      }
    }
    LocalTree.delete(copy);
    turn++;
  }

  private static void check(String what, Cli cli, boolean isVerify, Path damaged) {
    List<String> errors =
        isVerify
            ? cli.text().lines().filter(line -> line.startsWith("error ")).toList()
            : cli.stderr().lines().filter(line -> line.startsWith("/")).toList();
    if (cli.exitCode() == 0 || isVerify && errors.isEmpty()) {
      return; // nothing that the command reads is damaged, or only a warning
    }
    boolean isDifference = what.contains(": diff ") && cli.exitCode() == 1;
    String shown = what + ": " + cli.exitCode() + "\n" + cli.text() + cli.stderr();
    assertThat(errors.isEmpty()).as(shown).isEqualTo(isDifference);
    if (!isDifference) {
      assertThat(errors.get(0)).as(shown).contains(damaged + ": ");
      assertThat(errors).as(shown).noneMatch(line -> line.contains(damaged.getParent() + ": "));
    }
  }
}
