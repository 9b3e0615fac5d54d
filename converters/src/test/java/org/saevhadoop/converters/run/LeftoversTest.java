package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.testing.Programs;

/** What a dead run has left is used only if it is whole and the work of the same user. */
@Tag("late")
class LeftoversTest {
  private static final Path SOURCE = Fixtures.small();
  private static final String OPTIONS = "--to safetensors --batch-size 2";

  /** The recorded runs, by their options. */
  private static final Map<String, RecordedRun> RECORDED = new HashMap<>();

  @TempDir static Path shared;
  private static Path place;
  private static Path out;
  private static Path folder;
  @TempDir Path temporary;

  @BeforeAll
  static void createFolder() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    place = Files.createDirectory(shared.toRealPath().resolve("place"));
    out = place.resolve("out");
    folder = KilledRun.folder(out);
  }

  @AfterAll
  static void forgetRecordedRuns() {
    RECORDED.clear();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "run.json", "lock", "data", "data/"})
  void whatBelongsToAnotherUserIsRefusedUnlessItIsTrusted(String name) throws Exception {
    assumeTrue(isRoot(), "only root may give files away");
    killAfterTheJob(OPTIONS);
    Path entry = name.isEmpty() ? folder : anyFile(name);
    Files.setAttribute(entry, "unix:uid", 12345, LinkOption.NOFOLLOW_LINKS);
    convert(OPTIONS + " --resume").failsWith(FileError.NOT_OWNED, entry);
    assertThat(entry).exists();
    assertThat(out).doesNotExist();
    convert(OPTIONS + " --resume --trust-run-folder").succeeds();
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "run.json", "data", "data/"})
  void linksAreNotFollowed(String name) throws Exception {
    killAfterTheJob(OPTIONS);
    Path entry = anyFile(name);
    Path target = Files.move(entry, temporary.resolve("target"));
    Files.createSymbolicLink(entry, target);
    convert(OPTIONS + " --resume --trust-run-folder").failsWith(FileError.NOT_REPLACEABLE, entry);
    assertThat(target).exists();
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "run.json", "application_1_1.json", "data/pipe"})
  // opening a pipe cannot be interrupted
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void namedPipesAreRefusedInsteadOfRead(String name) throws Exception {
    killAfterTheJob(OPTIONS);
    Path entry = folder.resolve(name);
    Files.deleteIfExists(entry);
    Programs.require("mkfifo", "--version");
    assertThat(new ProcessBuilder("mkfifo", entry.toString()).start().waitFor()).isZero();
    convert(OPTIONS + " --resume").failsWith(FileError.NOT_REPLACEABLE, entry);
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 40, 200})
  void aTornRecordOfAnEarlierVersionIsRecognized(int bytes) throws Exception {
    killAfterTheJob(OPTIONS);
    Path record = folder.resolve("run.json");
    byte[] whole = Files.readAllBytes(record);
    Files.write(record, Arrays.copyOf(whole, bytes));
    LocalTree.delete(folder.resolve("data"));
    Files.deleteIfExists(folder.resolve("work"));
    convert(OPTIONS).succeeds();
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void aRecordOfAnotherProgramIsKept() throws Exception {
    clear();
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("run.json"), "{\"program\": \"other");
    convert(OPTIONS).failsWith(FileError.NOT_REPLACEABLE, folder);
    assertThat(folder.resolve("run.json")).exists();
  }

  @ParameterizedTest
  @CsvSource({
    "--to safetensors --batch-size 2, removed",
    "--to safetensors --batch-size 2, emptied",
    "--to safetensors --batch-size 2, truncated",
    "--to pickle, truncated"
  })
  void aCompleteDatasetThatWasDamagedIsNotPublished(String options, String damage)
      throws Exception {
    killComplete(options);
    List<Path> files = files(folder.resolve("data"));
    files.removeIf(file -> file.toString().endsWith(".facts")); // not a part of the dataset
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      switch (damage) {
        case "removed" -> Files.delete(file);
        case "emptied" -> Files.write(file, new byte[0]);
        default -> Files.write(file, Arrays.copyOf(content, content.length - 1));
      }
      Cli resumed = convert(options + " --resume");
      assertThat(resumed.exitCode()).as(file + resumed.stderr()).isEqualTo(1);
      assertThat(out).as(file.toString()).doesNotExist();
      Files.write(file, content);
    }
    convert(options + " --resume").succeeds();
    assertThat(ConvertTest.files(place)).containsExactly("out");
  }

  @Test
  void anOldDatasetAtThePathIsNotTakenForTheOneThatWasPublished() throws Exception {
    killComplete(OPTIONS);
    LocalTree.delete(folder.resolve("data"));
    Path other = temporary.resolve("other");
    Cli.convert(SOURCE, other, "safetensors --limit 2").succeeds();
    Files.move(other, out);
    List<String> before = ConvertTest.files(out);
    Cli resumed = convert(OPTIONS + " --resume --overwrite");
    assertThat(resumed.exitCode()).as(resumed.stderr()).isEqualTo(1);
    assertThat(ConvertTest.files(out)).isEqualTo(before);
  }

  /** Leaves what a kill leaves when the files of a run are complete, but not its documents. */
  private void killAfterTheJob(String options) throws IOException, InterruptedException {
    RecordedRun run = recorded(options);
    run.restore(run.first("open", folder.resolve("complete.new")));
  }

  /** Leaves what a kill leaves after a run has marked its dataset as complete. */
  private void killComplete(String options) throws IOException, InterruptedException {
    RecordedRun run = recorded(options);
    run.restore(run.first("rename", folder.resolve("complete.new")) + 1);
  }

  private static RecordedRun recorded(String options) throws IOException, InterruptedException {
    if (!RECORDED.containsKey(options)) {
      clear();
      RECORDED.put(options, RecordedRun.of(place, arguments(options)));
    }
    return RECORDED.get(options);
  }

  private static void clear() throws IOException {
    for (Path entry : files(place)) {
      LocalTree.delete(entry);
    }
  }

  private Path anyFile(String name) throws IOException {
    return name.equals("data/") ? files(folder.resolve("data")).get(0) : folder.resolve(name);
  }

  private static List<Path> files(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.sorted().collect(Collectors.toList());
    }
  }

  private static boolean isRoot() throws IOException {
    return new String(
            new ProcessBuilder("id", "-u").start().getInputStream().readAllBytes(),
            StandardCharsets.US_ASCII)
        .strip()
        .equals("0");
  }

  private static Object[] arguments(String options) {
    return new Object[] {"convert", SOURCE, out, options.split(" ")};
  }

  private Cli convert(String options) {
    return Cli.run(arguments(options));
  }
}
