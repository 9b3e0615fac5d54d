package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.publish.DatasetPublication;
import org.saevhadoop.format.publish.run.DirectOutput;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/** Runs that write a dataset at its path, as a rename would copy it. */
@ResourceLock(FaultyFileSystem.SCHEME)
class DirectCommitTest extends RunJob {
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.faulty";
  private static final String MARKER = "_saev-hadoop-unfinished";

  private final List<String> messages = new ArrayList<>();

  @BeforeEach
  void configure() throws IOException {
    FaultyFileSystem.registerObjectStore(conf);
    conf.setClass(FACTORY, UploadingCommitter.Factory.class, Object.class);
    ConfSettings.set(conf, OutputKeys.PUBLISH, place().qualified());
    ConfSettings.set(conf, OutputKeys.DIRECT, true);
  }

  private StoragePath place() throws IOException {
    return HadoopPath.of(FaultyFileSystem.path(published), conf);
  }

  private RunStorage storage() throws IOException {
    return HadoopRunStorage.of(place(), conf);
  }

  private RunFolder claim(boolean resume) throws IOException {
    String place = place().qualified();
    String written =
        ConfSettings.get(conf, OutputKeys.DIRECT)
            ? place
            : RunPaths.data(RunPaths.of(place())).qualified();
    RunRecord record = RunRecord.of(place, written, "source", "me", "state", Map.of());
    RunFolder claimed =
        RunFolder.claim(
            RunPaths.of(place()),
            record,
            job -> false,
            new Leftovers(resume, false, messages::add),
            storage());
    claimed.checkFree();
    ConfSettings.set(conf, OutputKeys.RUN, claimed.record().id());
    return claimed;
  }

  private RunFolder begun() throws IOException {
    RunFolder run = claim(false);
    run.begin();
    return run;
  }

  @Test
  void aDatasetIsWrittenAtItsPathWithoutARename() throws Exception {
    FaultyFileSystem.failRenames(path -> true, FaultyFileSystem.Failure.ERROR);
    RunFolder run = begun();
    assertThat(Tasks.files(published)).containsExactly(MARKER);
    writeAll();
    commitJob();
    assertPublished();
    run.markPublished();
    run.close();
    assertPublished();
    assertThat(Tasks.files(temporary)).containsExactly("out");
  }

  @Test
  void readersRefuseTheDatasetUntilTheClientPublishesIt() throws Exception {
    ConfSettings.set(conf, OutputKeys.DEFERRED, true);
    try (RunFolder run = begun()) {
      writeAll();
      commitJob();
      assertThat(Tasks.files(published)).contains("metadata.json", MARKER);
      for (String name : List.of("", "/acts000000.bin")) {
        assertThatThrownBy(() -> new HadoopStorage(conf).locate(place().qualified() + name))
            .hasMessageContaining("is being written by run " + run.record().id());
      }
      publication(run).run();
    }
    assertThat(place().locate().folder().files()).hasSize(6);
    assertPublished();
  }

  @Test
  void theFilesOfAnAttemptThatDiedAreNotThere() throws Exception {
    try (RunFolder run = begun()) {
      committer().setupJob(job());
      write(0, 0, 0, 2);
      Tasks.commit(format, write(0, 1, 0, 4));
      writeTask(1, 4, 7);
      commitJob();
      assertThat(run.isPublished()).isTrue();
    }
    assertPublished();
  }

  @Test
  void whatTheManifestCommitterWritesIsADataset() throws Exception {
    conf.setClass(FACTORY, ManifestCommitterFactory.class, Object.class);
    try (RunFolder run = begun()) {
      writeAll();
      commitJob();
      assertThat(run.isPublished()).isTrue();
    }
    assertPublished();
  }

  @Test
  void anAbortedJobLeavesTheMarkerUntilTheRunEnds() throws Exception {
    RunFolder run = begun();
    writeAll();
    FaultyFileSystem.beginUpload(HadoopPath.hadoop(place().child("file")));
    Files.writeString(published.resolve("metadata.json"), "{");
    committer().abortJob(job(), JobStatus.State.FAILED);
    assertThat(Tasks.files(published)).containsExactly(MARKER);
    assertThat(FaultyFileSystem.uploads()).isEmpty();
    run.close();
    assertThat(Tasks.files(temporary)).isEmpty();
  }

  @Test
  void aRunThatFailsRemovesAllFilesThatItHasWritten() throws Exception {
    ConfSettings.set(conf, OutputKeys.DEFERRED, true);
    RunFolder run = begun();
    writeAll();
    commitJob();
    run.markUseless(); // as verification has failed
    run.close();
    assertThat(Tasks.files(temporary)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextRunRemovesWhatADeadOneHasLeft(boolean resume) throws Exception {
    begun();
    writeAll();
    org.apache.hadoop.fs.Path beside = HadoopPath.hadoop(place().suffix("-2").child("file"));
    FaultyFileSystem.beginUpload(beside);
    FaultyFileSystem.beginUpload(HadoopPath.hadoop(place().child("a").child("file")));
    endLock();
    try (RunFolder run = claim(resume)) {
      assertThat(messages)
          .singleElement()
          .asString()
          .contains("removed 4 files and 1 pending upload")
          .contains(place().qualified());
      assertThat(FaultyFileSystem.uploads()).containsExactly(beside.toUri().getPath());
      assertThat(published).doesNotExist();
      run.begin();
      writeAll();
      commitJob();
    }
    assertPublished();
  }

  @Test
  void aResumedRunPublishesADatasetThatIsComplete() throws Exception {
    ConfSettings.set(conf, OutputKeys.DEFERRED, true);
    begun();
    writeAll();
    commitJob();
    endLock();
    try (RunFolder run = claim(true)) {
      assertThat(messages).isEmpty();
      assertThat(run.isPublished()).isFalse();
      assertThat(RunFolder.isComplete(run.path(), storage())).isTrue();
      publication(run).run();
      assertThat(run.isPublished()).isTrue();
    }
    assertPublished();
    assertThat(Tasks.files(temporary)).containsExactly("out");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextRunUndoesAReplacementThatWasInterrupted(boolean resume) throws Exception {
    try (RunFolder old = begun()) {
      writeAll();
      commitJob();
      assertThat(old.isPublished()).isTrue();
    }
    ConfSettings.set(conf, OutputKeys.DIRECT, false);
    ConfSettings.set(conf, OutputKeys.REPLACE, true);
    ConfSettings.set(conf, OutputKeys.DEFERRED, true);
    RunFolder dead = claim(false);
    writeAll();
    commitJob();
    DatasetPublication publication = publication(dead);
    FaultyFileSystem.failRenames(path -> true, FaultyFileSystem.Failure.ERROR);
    assertThatThrownBy(() -> publication.run()).isInstanceOf(AssertionError.class);
    FaultyFileSystem.failRenames(path -> false, FaultyFileSystem.Failure.FALSE);
    assertThat(Tasks.files(published)).contains(MARKER);
    assertThat(DirectOutput.isPossible(place(), storage())).isFalse();
    endLock();
    try (RunFolder run = claim(resume)) {
      assertPublished();
      assertThat(run.isPublished()).isFalse();
      if (resume) {
        publication.run();
        run.markPublished();
      }
    }
    assertPublished();
    assertThat(Tasks.files(temporary)).containsExactly("out");
  }

  @Test
  void aCompleteDatasetIsKeptForALaterRunIfItCannotBePublished() throws Exception {
    ConfSettings.set(conf, OutputKeys.DEFERRED, true);
    RunFolder run = begun();
    writeAll();
    commitJob();
    run.close();
    assertThat(Tasks.files(published)).hasSize(7);
    run = claim(true); // at once, as the lock ended with the run
    run.markPublished();
    run.close();
    assertThat(Tasks.files(temporary)).isEmpty();
  }

  @Test
  void aPublishedDatasetOfADeadRunIsNotTouched() throws Exception {
    begun();
    writeAll();
    commitJob();
    endLock();
    assertFails(FileError.ALREADY_EXISTS, Path.of(place().qualified()), () -> claim(false));
    assertPublished();
  }

  @Test
  void theMarkerOfARunWhoseFolderIsGoneIsReportedAndNothingIsRemoved() throws Exception {
    RunFolder run = begun();
    Files.writeString(published.resolve("data"), "of another program");
    for (String name : List.of("run.json", "lock")) {
      Files.delete(local(run.path()).resolve(name));
    }
    assertThatThrownBy(() -> claim(false))
        .hasMessageContaining(MARKER + ": is the marker of run " + run.record().id());
    assertThat(Tasks.files(published)).containsExactly(MARKER, "data");
  }

  @Test
  void whatAJobThatWasLostHasLeftIsRemovedBeforeTheNextOne() throws Exception {
    try (RunFolder run = begun()) {
      writeAll();
      Files.writeString(published.resolve("acts000000.bin"), "without its companions");
      run.clear();
      assertThat(Tasks.files(published)).containsExactly(MARKER);
      writeAll();
      commitJob();
      run.clear(); // not of a dataset that is complete
    }
    assertPublished();
  }

  @Test
  void onlyAPathThatIsAbsentOrEmptyIsWritten() throws Exception {
    assertThat(DirectOutput.isPossible(place(), storage())).isTrue();
    Files.createDirectory(published);
    assertThat(DirectOutput.isPossible(place(), storage())).isTrue();
    Files.writeString(published.resolve("file"), "");
    assertThat(DirectOutput.isPossible(place(), storage())).isFalse();
    assertThat(
            DirectOutput.isPossible(
                new LocalPath(temporary.resolve("local")), new LocalRunStorage(true)))
        .isFalse();
  }

  @Test
  @Timeout(60)
  void aRunIsRefusedWhileAnotherRenewsItsLock() throws Exception {
    ConfSettings.set(conf, ConversionKeys.LOCK_TIMEOUT, 3L);
    try (RunFolder run = begun()) {
      endLock();
      while (isEnded()) {
        TimeUnit.MILLISECONDS.sleep(20); // until it is renewed
      }
      assertThatThrownBy(() -> claim(false)).hasMessageContaining("another run is writing here");
      assertThat(run.isPublished()).isFalse();
    }
  }

  private DatasetPublication publication(RunFolder run) throws IOException {
    boolean replace = ConfSettings.get(conf, OutputKeys.REPLACE);
    return new DatasetPublication(
        run.path(), run.data(), place(), replace, storage(), DatasetFormats.registry());
  }

  /** Makes the lock look as if its holder had not renewed it for an hour. */
  private void endLock() throws IOException {
    Files.setLastModifiedTime(lock(), FileTime.from(Instant.now().minusSeconds(3600)));
  }

  private boolean isEnded() throws IOException {
    return Files.getLastModifiedTime(lock()).toInstant().isBefore(Instant.now().minusSeconds(1800));
  }

  private static Path local(StoragePath path) {
    return Path.of(HadoopPath.hadoop(path).toUri().getPath());
  }

  private Path lock() throws IOException {
    return local(RunPaths.of(place())).resolve("lock");
  }
}
