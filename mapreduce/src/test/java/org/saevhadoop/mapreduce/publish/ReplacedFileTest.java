package org.saevhadoop.mapreduce.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.ReplacedFile;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.FaultyFileSystem;
import org.saevhadoop.mapreduce.io.HadoopPath;

@ResourceLock(FaultyFileSystem.SCHEME)
class ReplacedFileTest {
  private static final byte[] CONTENT = "new".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private ReplacedFile file(String name) {
    return new ReplacedFile(new LocalPath(folder.resolve(name)), new LocalRunStorage(true));
  }

  private static ReplacedFile onFaultyStorage(Path path, Configuration conf) throws IOException {
    StoragePath remote = HadoopPath.of(FaultyFileSystem.path(path), conf);
    return new ReplacedFile(remote, HadoopRunStorage.of(remote, conf));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFileIsWrittenAndNothingElseRemains() throws IOException {
    file("report").check(false);
    file("report").write(CONTENT);
    assertThat(folder.resolve("report")).hasContent("new");
    assertThat(names()).containsExactly("report");
  }

  @Test
  void anExistingFileIsReplacedOnlyIfThatIsAllowed() throws IOException {
    Files.writeString(folder.resolve("report"), "old");
    assertThatThrownBy(() -> file("report").check(false))
        .hasMessage(
            folder.resolve("report") + ": already exists (expected another path, or --overwrite)");
    file("report").check(true);
    file("report").write(CONTENT);
    assertThat(folder.resolve("report")).hasContent("new");
  }

  @Test
  void aFolderIsNeverReplaced() throws IOException {
    Files.createDirectory(folder.resolve("report"));
    assertThatThrownBy(() -> file("report").check(true))
        .hasMessageContaining("report: cannot be replaced: it is not a file");
  }

  @Test
  void aMissingFolderIsReportedBeforeAndWhileTheFileIsWritten() throws IOException {
    for (boolean overwrite : new boolean[] {false, true}) {
      assertThatThrownBy(() -> file("none/report").check(overwrite))
          .hasMessage(
              folder.resolve("none/report") + ": cannot be written: its directory does not exist");
    }
    assertThatThrownBy(() -> file("none/report").write(CONTENT))
        .hasMessageEndingWith("cannot be written: its directory does not exist");
    assertThat(names()).isEmpty();
  }

  @Test
  void aFileThatCannotBeRenamedToItsPathIsRemoved() throws IOException {
    Files.createDirectories(folder.resolve("report/other"));
    assertThatThrownBy(() -> file("report").write(CONTENT))
        .hasMessageStartingWith(folder.resolve("report") + ": cannot be written");
    assertThat(names()).containsExactly("report");
  }

  @Test
  void onOtherStoragesMissingFoldersAreCreated() throws IOException {
    Path path = folder.resolve("none/report");
    ReplacedFile file = onFaultyStorage(path, FaultyFileSystem.conf());
    file.check(false);
    file.write(CONTENT);
    assertThat(path).hasContent("new");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2})
  void aFullStorageIsReportedAndKeepsTheOldFile(long free) throws IOException {
    Path path = Files.writeString(folder.resolve("report"), "old");
    ReplacedFile file = onFaultyStorage(path, FaultyFileSystem.limited());
    FaultyFileSystem.setFree(free, false);
    assertThatThrownBy(() -> file.write(CONTENT))
        .hasMessage(FaultyFileSystem.path(path) + ": cannot be written: No space left on device")
        .extracting(error -> ((FormatException) error).kind())
        .isEqualTo(FileError.NO_SPACE);
    assertThat(path).hasContent("old");
    assertThat(names()).containsExactly("report");
  }
}
