package org.saevhadoop.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.FaultyFileSystem;
import org.saevhadoop.mapreduce.UploadingCommitter;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

@ResourceLock(FaultyFileSystem.SCHEME)
class CommitterFilesTest {
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.faulty";

  @TempDir Path folder;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void createTarget() throws IOException {
    Files.createDirectories(folder.resolve("run/data"));
  }

  private TaskFiles renamed() throws IOException {
    StoragePath run = HadoopPath.of(FaultyFileSystem.path(folder.resolve("run")), conf);
    return new TaskFiles(
        HadoopRunStorage.of(run, conf), run.child("data"), run.child("work"), names -> names);
  }

  private JobFiles uploaded() throws IOException {
    FaultyFileSystem.registerObjectStore(conf);
    conf.setClass(FACTORY, UploadingCommitter.Factory.class, Object.class);
    return CommitterFiles.of(renamed(), conf);
  }

  private static void write(JobFiles files, String attempt, String name) throws IOException {
    files.create(attempt);
    try (Output out = files.folder(attempt).folder().create(name)) {
      out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
  }

  private Path data(String name) {
    return folder.resolve("run/data").resolve(name);
  }

  @Test
  void theCommitterOfAStorageCommitsTheFilesOfTasksWithTheJob() throws IOException {
    JobFiles files = uploaded();
    files.begin();
    write(files, "first", "a");
    write(files, "second", "b");
    assertThat(files.folder("first")).isNotEqualTo(files.folder("second"));
    assertThat(files.isWritten("first")).isTrue();
    files.commit("first", () -> {});
    files.commit("second", () -> {});
    assertThat(data("a")).doesNotExist();
    files.end();
    assertThat(data("a")).hasBinaryContent(new byte[] {1, 2, 3});
    assertThat(data("b")).exists();
    assertThat(folder.resolve("run/data")).isDirectoryNotContaining("glob:**/__pending");
  }

  @Test
  void anAbortedAttemptLeavesNothingAndOneThatNeverBeganIsIgnored() throws IOException {
    JobFiles files = uploaded();
    files.begin();
    write(files, "first", "a");
    files.abort("first");
    files.abort("second");
    assertThat(files.isWritten("first")).isFalse();
    assertThat(files.isWritten("second")).isFalse();
    files.end();
    assertThat(folder.resolve("run/data")).isEmptyDirectory();
  }

  @Test
  void aJobThatFailsLeavesNothingOfCommittedTasks() throws IOException {
    JobFiles files = uploaded();
    files.begin();
    write(files, "first", "a");
    files.commit("first", () -> {});
    files.discard();
    assertThat(folder.resolve("run/data")).isEmptyDirectory();
  }

  @Test
  void aStorageWithFoldersRenamesFilesUnlessItHasACommitter() throws IOException {
    StoragePath run = new LocalPath(folder.resolve("run"));
    TaskFiles renamed =
        new TaskFiles(new LocalRunStorage(false), run.child("data"), run.child("work"), x -> x);
    assertThat(CommitterFiles.of(renamed, conf)).isSameAs(renamed);
    conf.setClass(
        "mapreduce.outputcommitter.factory.scheme.file",
        UploadingCommitter.Factory.class,
        Object.class);
    assertThat(CommitterFiles.of(renamed, conf)).isInstanceOf(CommitterFiles.class);
  }
}
