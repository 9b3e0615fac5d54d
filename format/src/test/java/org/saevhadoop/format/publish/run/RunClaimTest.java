package org.saevhadoop.format.publish.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;

/** The folder of a run that another run finds. */
class RunClaimTest {
  @TempDir Path temporary;
  private StoragePath out;
  private Path folder;

  @BeforeEach
  void nameFolder() {
    out = new LocalPath(temporary.resolve("out"));
    folder = temporary.resolve("_out.saev-hadoop");
  }

  @Test
  void aRunThatIsAtWorkNamesItsLastApplicationAndNoFolderToRemove() throws IOException {
    try (RunFolder run = claim(true)) {
      assertThatThrownBy(() -> claim(true))
          .hasMessageEndingWith(" (expected no other run)")
          .hasMessageNotContaining("remove");
      SubmittedJob first = new SubmittedJob("job_17_9999", "rm:8032");
      run.record(first);
      run.ended(first);
      SubmittedJob last = new SubmittedJob("job_17_10000", "rm:8032");
      run.record(last);
      assertThatThrownBy(() -> claim(false))
          .hasMessageContaining("another run is writing here, started by me on ")
          .hasMessageEndingWith(
              ", with the job application_17_10000 (expected no other run; yarn application -status"
                  + " application_17_10000 shows its state)")
          .hasMessageNotContaining("remove");
      run.ended(last);
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void theFolderStaysUntilAllJobsHaveEnded() throws IOException {
    SubmittedJob first = new SubmittedJob("job_17_0004", "rm:8032");
    SubmittedJob second = new SubmittedJob("job_17_0005", "rm:8032");
    try (RunFolder run = claim(true)) {
      run.record(first);
      run.record(second);
      run.ended(second);
    }
    assertThat(folder).exists();
    try (RunFolder run = claim(false)) {
      run.record(first);
      run.record(second);
      run.ended(first);
      run.ended(second);
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void aDeadRunWhoseJobLivesNamesItsApplication() throws IOException {
    try (RunFolder run = claim(true)) {
      run.record(new SubmittedJob("job_17_0004", "rm:8032"));
    }
    assertThatThrownBy(() -> claim(true))
        .hasMessageEndingWith(
            "is the folder of a run whose job application_17_0004 has not ended (expected its end;"
                + " yarn application -status application_17_0004 shows its state)");
    assertThat(folder).exists();
    claim(false).close();
  }

  @Test
  void aFolderIsNotLeftByARunThatComesWhenAnotherHasRemovedItsOwn() throws IOException {
    try (RunFolder run = claim(true)) {
      Files.delete(folder.resolve("run.json"));
      Files.delete(folder.resolve("lock"));
      Files.delete(folder); // and has not released its lock
      assertThatThrownBy(() -> claim(true)).hasMessageContaining("another run is writing here");
      assertThat(folder).doesNotExist();
      assertThat(run.path().shown()).isEqualTo(folder.toString());
    }
  }

  @Test
  void aFolderThatAnotherRunRemovesWhileItIsCheckedIsCreatedAgain() throws IOException {
    AtomicBoolean isThere = new AtomicBoolean(true);
    RunStorage storage =
        new LocalRunStorage(true) {
          @Override
          public boolean createFolder(StoragePath path) throws IOException {
            return !isThere.getAndSet(false) && super.createFolder(path);
          }
        };
    claim(false, storage).close();
    assertThat(isThere).isFalse();
  }

  @Test
  void aRunThatHasRemovedItsRecordButNotItsFolderIsAnotherRun() throws IOException {
    try (RunFolder run = claim(true)) {
      Files.createDirectory(folder.resolve("data"));
      Files.delete(folder.resolve("run.json"));
      assertThatThrownBy(() -> claim(true)).hasMessageContaining("another run is writing here");
      assertThat(run.path().shown()).isEqualTo(folder.toString());
    }
  }

  @Test
  void aRunThatIsStoppedWhileItRemovesItsDataLeavesNoneToContinue() throws IOException {
    RunStorage stopped =
        new LocalRunStorage(true) {
          @Override
          public void delete(StoragePath path) throws IOException {
            if (kind(path) == EntryKind.FOLDER) {
              throw new IOException("stopped");
            }
            super.delete(path);
          }
        };
    try (RunFolder run = claim(true)) {
      Path data = Files.createDirectory(folder.resolve("data"));
      Files.createFile(data.resolve("done-staged-00000"));
      assertThatThrownBy(() -> new RunFiles(stopped, run.path()).delete(null))
          .hasMessage("stopped");
      assertThat(data).doesNotExist();
      assertThat(folder.resolve("run.json")).exists();
    }
    assertThat(folder).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "10000000000", "\"1\"", "1.5", "null", "{}"})
  void aRecordOfALaterVersionIsRefusedAndKept(String version) throws IOException {
    Path record = recorded("\"version\" : " + version + ",");
    byte[] before = Files.readAllBytes(record);
    ErrorAssertions.assertFailsWithAnyText(FileError.NOT_REPLACEABLE, record, () -> claim(false));
    assertThatThrownBy(() -> claim(false))
        .hasMessageContaining("has version " + version + ", ")
        .hasMessageContaining("expected version 1 or lower");
    assertThat(record).hasBinaryContent(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"version\" : 1,", "\"version\" : 0,", ""})
  void aRecordOfThisOrAnEarlierVersionIsRead(String version) throws IOException {
    recorded(version);
    claim(false).close();
    assertThat(folder).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-32LE"})
  void aRecordInAnotherEncodingIsDamaged(String encoding) throws IOException {
    Path record = recorded("\"version\" : 1,");
    Files.write(record, Files.readString(record).getBytes(Charset.forName(encoding)));
    ErrorAssertions.assertFailsWithAnyText(JsonError.BAD_JSON, record, () -> claim(false));
  }

  @Test
  void aRecordOfExcessiveLengthIsNamed() throws IOException {
    Path record = recorded("\"version\" : 1,");
    Files.writeString(record, " ".repeat(RunRecord.LIMITS.bytes()), StandardOpenOption.APPEND);
    ErrorAssertions.assertFailsWithAnyText(FileError.TOO_LARGE, record, () -> claim(false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application_.json", "application_1.json", "application_1_x.json.new"})
  void aRecordWhoseNameIsNoApplicationIsNamed(String name) throws IOException {
    recorded("\"version\" : 1,");
    Path job = Files.createFile(folder.resolve(name));
    ErrorAssertions.assertFailsWithAnyText(FileError.IN_USE, job, () -> claim(false));
  }

  /** Leaves the folder of a run with another version in its record, which is returned. */
  private Path recorded(String version) throws IOException {
    try (RunFolder run = claim(true)) {
      run.record(new SubmittedJob("job_17_0004", "rm:8032"));
    }
    Path record = folder.resolve("run.json");
    String document = Files.readString(record);
    assertThat(document).contains("\"version\" : 1,");
    return Files.writeString(record, document.replace("\"version\" : 1,", version));
  }

  /** Each of several streams is staged in its own subfolder. */
  @ParameterizedTest
  @ValueSource(strings = {"part", "source_1/part"})
  void aFolderWithCompleteFilesIsKeptForALaterRun(String file) throws IOException {
    try (RunFolder run = claim(false)) {
      Path part = folder.resolve("data").resolve(file);
      Path unfinished = Files.createDirectories(part.resolveSibling("_work/task_000001"));
      Files.writeString(unfinished.resolve("part"), "begun");
      assertThat(run.isKept()).isFalse();
      Files.writeString(part, "complete");
      assertThat(run.isKept()).isTrue();
    }
    assertThat(folder.resolve("data").resolve(file)).hasContent("complete");
    claim(false).close(); // begins again
    assertThat(folder).doesNotExist();
  }

  private RunFolder claim(boolean alive) throws IOException {
    return claim(alive, new LocalRunStorage(true));
  }

  private RunFolder claim(boolean alive, RunStorage storage) throws IOException {
    StoragePath place = RunPaths.of(out);
    RunRecord record =
        RunRecord.of(out.qualified(), RunPaths.data(place).qualified(), "", "me", "", Map.of());
    return RunFolder.claim(place, record, job -> alive, Leftovers.REMOVED, storage);
  }
}
