package org.saevhadoop.format.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;

/** What a probe finds without mount points and other users, and what it leaves behind. */
class DestinationProbeTest {
  private static final RunStorage STORAGE = new LocalRunStorage(true);
  private static final String LONG = "n".repeat(256);

  @TempDir Path folder;
  private Path run;
  private Path out;

  @BeforeEach
  void createFolders() throws IOException {
    run = Files.createDirectory(folder.resolve("run"));
    out = Files.createDirectory(folder.resolve("out"));
    Files.write(out.resolve("data"), new byte[5]);
  }

  @Test
  void aFolderThatCanBeMovedStaysWhereItIs() throws IOException {
    probe(out).checkName();
    probe(out).checkMove();
    assertThat(tree()).containsExactly("", "out", "out/data", "run");
    Files.delete(out.resolve("data"));
    probe(out).checkMove();
    assertThat(tree()).containsExactly("", "out", "run");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aMountPointCannotBeMoved() throws IOException {
    FormatException refused =
        assertFailsWithAnyText(
            FileError.NOT_REPLACEABLE, "/proc", () -> probe(Path.of("/proc")).checkMove());
    assertThat(refused.problem()).startsWith("cannot be moved away to be replaced: ");
    assertThat(tree()).containsExactly("", "out", "out/data", "run");
  }

  @Test
  void aProbeThatWasInterruptedIsRepeated() throws IOException {
    Files.createDirectories(run.resolve("probe/taken/inside"));
    Files.createDirectories(run.resolve("probe/movable"));
    probe(out).checkMove();
    assertThat(tree()).containsExactly("", "out", "out/data", "run");
  }

  @Test
  void theLongestNameIsAllowed() throws IOException {
    probe(folder.resolve("n".repeat(255))).checkName();
    assertThat(tree()).containsExactly("", "out", "out/data", "run");
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "new/, ''", "'', /out", "new/, /deep/out", "out/, /out"})
  void aNameThatIsTooLongIsFoundThoughItsParentDoesNotExist(String above, String below) {
    assertFailsWithAnyText(
        FileError.BAD_PATH,
        folder + "/" + above + LONG,
        () -> DestinationProbe.checkNames(path(folder.resolve(above + LONG + below)), STORAGE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/deep"})
  void aPathBelowAFileIsFoundThoughItDoesNotExist(String below) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertFailsWithAnyText(
        FileError.BAD_PATH,
        file + "/out",
        () -> DestinationProbe.checkNames(path(Path.of(file + "/out" + below)), STORAGE));
  }

  @Test
  void aPathWithoutSuchANameIsNotCreated() throws IOException {
    DestinationProbe.checkNames(path(folder.resolve("new/out/out")), STORAGE);
    assertThat(tree()).containsExactly("", "out", "out/data", "run");
  }

  private DestinationProbe probe(Path destination) {
    return new DestinationProbe(path(run), path(destination), STORAGE);
  }

  private static StoragePath path(Path local) {
    return new LocalPath(local);
  }

  private List<String> tree() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(file -> folder.relativize(file).toString()).sorted().toList();
    }
  }
}
