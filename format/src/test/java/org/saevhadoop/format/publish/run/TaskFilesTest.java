package org.saevhadoop.format.publish.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;

class TaskFilesTest {
  private static final String TASK = "attempt";

  @TempDir Path folder;

  private TaskFiles filesOfOneTask() throws IOException {
    TaskFiles files =
        new TaskFiles(
            new LocalRunStorage(true),
            new LocalPath(folder.resolve("target")),
            new LocalPath(folder.resolve("work")),
            names -> Set.of("a.data"));
    files.setUp();
    Path attempt = Files.createDirectory(Path.of(files.folder(TASK).shown()));
    Files.writeString(attempt.resolve("a.data"), "data");
    Files.writeString(attempt.resolve("b.facts"), "facts");
    return files;
  }

  @Test
  void companionsAreCommittedBeforeTheFileThatVouchesForThem() throws IOException {
    TaskFiles files = filesOfOneTask();
    // the rename of the companion fails
    Files.createDirectories(folder.resolve("target/b.facts/x"));
    assertThatThrownBy(() -> files.commit(TASK, () -> {})).isInstanceOf(IOException.class);
    assertThat(folder.resolve("target/a.data")).doesNotExist();
  }

  @Test
  void aCommittedTaskLeavesNoFolderAndIsNotCommittedAgain() throws IOException {
    TaskFiles files = filesOfOneTask();
    assertThat(files.isWritten(TASK)).isTrue();
    files.commit(TASK, () -> {});
    assertThat(folder.resolve("target/a.data")).hasContent("data");
    assertThat(folder.resolve("target/b.facts")).hasContent("facts");
    assertThat(files.isWritten(TASK)).isFalse();
  }

  @Test
  void anAbortedTaskLeavesNothing() throws IOException {
    TaskFiles files = filesOfOneTask();
    files.abort(TASK);
    assertThat(folder.resolve("work")).isEmptyDirectory();
    assertThat(folder.resolve("target")).isEmptyDirectory();
  }
}
