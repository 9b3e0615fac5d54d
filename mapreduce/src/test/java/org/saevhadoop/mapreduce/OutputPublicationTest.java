package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** A dataset is moved to its path by the commit of its job. */
@ResourceLock(FaultyFileSystem.SCHEME)
class OutputPublicationTest extends OutputJob {
  @Test
  void aFinishedDatasetIsMovedToItsPath() throws Exception {
    Path place = publishTo("published");
    write(saev);
    assertThat(output).doesNotExist();
    assertInvented(place);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aDatasetIsMovedToAFolderThatIsNotThereYet() throws Exception {
    onGuardedStorage();
    Path place = temporary.resolve("new/folder/published");
    conf.set(OutputKeys.PUBLISH.name(), FaultyFileSystem.path(place).toString());
    finishedTasks().commitJob(job(conf));
    assertInvented(place);
  }

  @Test
  void anAbortedJobThatWouldPublishLeavesNoFolder() throws Exception {
    Path place = publishTo("published");
    OutputCommitter committer = setUp(saev);
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(output).doesNotExist();
    assertThat(place).doesNotExist();
  }

  @Test
  void existingFilesAreKeptWithoutOverwrite() throws Exception {
    Path place = publishTo("published");
    Files.createDirectory(place);
    Files.writeString(place.resolve("old"), "old");
    assertFails(FileError.ALREADY_EXISTS, place, () -> saev.checkOutputSpecs(job));
    // it may have come while the job ran
    assertFails(FileError.ALREADY_EXISTS, place, () -> write(saev));
    setUp(saev).abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place.resolve("old")).hasContent("old");
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void whatIsReplacedStaysUntilTheEndAndIsGoneThen() throws Exception {
    Path place = publishTo("published");
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    // of somebody else, although it looks like a leftover
    Path foreign = Files.createDirectories(temporary.resolve("_published.replaced/older"));
    OutputCommitter committer = finishedTasks();
    assertThat(place.resolve(OLD)).exists();
    committer.commitJob(job(conf));
    assertInvented(place);
    assertThat(place.resolve(OLD)).doesNotExist();
    assertThat(foreign).exists();
    assertThat(temporary.toFile().list())
        .containsExactlyInAnyOrder("published", "_published.replaced");
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDocumentThatCanNotBeRenamedLeavesNoDataset(FaultyFileSystem.Failure how) throws Exception {
    Path place = onGuardedStorage();
    OutputCommitter committer = finishedTasks();
    FaultyFileSystem.failRenames(path -> path.getName().equals("metadata.json"), how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(output.resolve("metadata.json")).doesNotExist();
    // which comes last
    assertThat(output.resolve("shards.json")).exists();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place).doesNotExist();
    assertThat(output).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDatasetThatCanNotBePublishedLeavesNone(FaultyFileSystem.Failure how) throws Exception {
    Path place = onGuardedStorage();
    OutputCommitter committer = finishedTasks();
    FaultyFileSystem.failRenames(path -> path.getParent().getName().equals("published"), how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(place).doesNotExist();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(temporary.toFile().list()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"FALSE", "EXCEPTION"})
  void aDatasetThatCanNotBeReplacedIsBackAtItsPath(FaultyFileSystem.Failure how) throws Exception {
    Path place = onGuardedStorage();
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    OutputCommitter committer = finishedTasks();
    int[] times = {0};
    FaultyFileSystem.failRenames(
        path -> path.getParent().getName().equals("published") && times[0]++ == 0, how);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    assertThat(place.resolve(OLD)).exists();
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void whatIsNoDatasetIsNotReplacedAndComesToNoHarm() throws Exception {
    Path place = publishTo("published");
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    Path thesis = Files.writeString(place.resolve("thesis.tex"), "years of work");
    OutputCommitter committer = finishedTasks();
    assertFails(FileError.NOT_REPLACEABLE, thesis, () -> committer.commitJob(job(conf)));
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(thesis).hasContent("years of work");
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aDatasetIsBackIfTheAnswerToARenameWasLost() throws Exception {
    Path place = onGuardedStorage();
    conf.set(OutputKeys.REPLACE.name(), "true");
    oldDataset(place);
    OutputCommitter committer = finishedTasks();
    FaultyFileSystem.failRenames(
        path -> path.getParent().getName().equals("published"),
        FaultyFileSystem.Failure.LOST_ANSWER);
    assertThatThrownBy(() -> committer.commitJob(job(conf))).isInstanceOf(IOException.class);
    committer.abortJob(job(conf), JobStatus.State.FAILED);
    assertThat(place.resolve(OLD)).exists();
    assertThat(temporary.toFile().list()).containsExactly("published");
  }

  @Test
  void aStorageThatIsNotTheLocalDiskGetsTheSameFiles() throws Exception {
    Path place = onGuardedStorage();
    finishedTasks().commitJob(job(conf));
    assertInvented(place);
    assertThat(place.resolve(SHARDS[3]).toFile().length()).isEqualTo(3840);
    assertThat(temporary.toFile().list()).containsExactly("published");
  }
}
