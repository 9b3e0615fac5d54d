package org.saevhadoop.mapreduce.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenamingCommitterTest {
  @TempDir Path folder;

  private final TaskAttemptContext task =
      new TaskAttemptContextImpl(
          new Configuration(false), new TaskAttemptID("test", 1, TaskType.MAP, 0, 0));

  private RenamingCommitter committerOfOneTask() throws IOException {
    RenamingCommitter committer =
        new RenamingCommitter(
            hadoop(folder.resolve("target")),
            hadoop(folder.resolve("work")),
            names -> Set.of("a.data"),
            task);
    committer.setupJob(task);
    Path attempt = Files.createDirectory(Path.of(committer.getWorkPath().toUri().getPath()));
    Files.writeString(attempt.resolve("a.data"), "data");
    Files.writeString(attempt.resolve("b.facts"), "facts");
    return committer;
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path("file:" + path);
  }

  @Test
  void companionsAreCommittedBeforeTheFileThatVouchesForThem() throws IOException {
    RenamingCommitter committer = committerOfOneTask();
    // the rename of the companion fails
    Files.createDirectories(folder.resolve("target/b.facts/x"));
    assertThatThrownBy(() -> committer.commitTask(task)).isInstanceOf(IOException.class);
    assertThat(folder.resolve("target/a.data")).doesNotExist();
  }

  @Test
  void aCommittedTaskLeavesNoFolderAndIsNotCommittedAgain() throws IOException {
    RenamingCommitter committer = committerOfOneTask();
    assertThat(committer.needsTaskCommit(task)).isTrue();
    committer.commitTask(task);
    assertThat(folder.resolve("target/a.data")).hasContent("data");
    assertThat(folder.resolve("target/b.facts")).hasContent("facts");
    assertThat(committer.needsTaskCommit(task)).isFalse();
  }

  @Test
  void anAbortedTaskLeavesNothing() throws IOException {
    RenamingCommitter committer = committerOfOneTask();
    committer.abortTask(task);
    assertThat(folder.resolve("work")).isEmptyDirectory();
    assertThat(folder.resolve("target")).isEmptyDirectory();
  }
}
