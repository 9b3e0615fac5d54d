package org.saevhadoop.format.publish.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.storage.RunLock;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The protocol by which a run obtains its folder: create the folder, or find that it exists; lock
 * its lock file; check that the locked file is still at its path; then write the mark, or, if an
 * interrupted run has left a mark, remove the files of that run and begin again.
 */
public final class RunClaim {
  private static final int ATTEMPTS = 100;
  private static final long POLL_MILLIS = 1000;

  /** The time that a JVM that is being stopped waits for a claim to end. */
  private static final long MAX_END_SECONDS = 5;

  private final RunFiles files;
  private final RunStorage storage;
  private RunRecord record;
  private final Io.Function<SubmittedJob, Boolean> isAlive;
  private final boolean resume;
  private final Consumer<String> messages;
  private final Consumer<String> stopped;
  private final List<StoragePath> created = new ArrayList<>();
  private LeftoverOwnership ownership;
  private @Nullable RunRecord resumed;

  /**
   * Creates a claim.
   *
   * @param isAlive returns whether a job has not ended: a job on YARN can outlive its client
   * @param leftovers whether an interrupted run is continued
   */
  public RunClaim(
      StoragePath folder,
      RunRecord record,
      Io.Function<SubmittedJob, Boolean> isAlive,
      Leftovers leftovers,
      RunStorage storage) {
    this.files = new RunFiles(storage, folder);
    this.storage = storage;
    this.record = record;
    this.isAlive = isAlive;
    this.resume = leftovers.resume();
    this.messages = leftovers.messages();
    this.stopped = leftovers.stopped();
    this.ownership = new LeftoverOwnership(files.folder(), storage, leftovers.trusted(), false);
  }

  /**
   * Obtains the folder for the run. A JVM that is being stopped waits for the end of this method.
   *
   * @throws FormatException if another run is active, if this program did not create the folder, or
   *     if the run to continue has another source or other settings
   */
  public RunFolder run() throws IOException {
    ownership = ownership.writing();
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> await(ended));
    StoppedJvm.addHook(hook, RunFolder.HOOK_PRIORITY);
    try {
      return claim();
    } finally {
      ended.countDown();
      StoppedJvm.removeHook(hook);
    }
  }

  private static void await(CountDownLatch ended) {
    try {
      ended.await(MAX_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RunFolder claim() throws IOException {
    boolean claimed = false;
    try {
      FileNotFoundException missing = null;
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          RunLock lock = attempt();
          if (lock != null) {
            claimed = true;
            return new RunFolder(files, record, resumed, lock, created, stopped);
          }
        } catch (FileNotFoundException e) {
          // another run has ended and removed the folder, or a parent that it had created
          missing = e;
        }
      }
      throw FileError.NOT_FOUND
          .in(files.folder().folderAbove().shown(), "is not a directory that can be written")
          .causedBy(missing);
    } finally {
      if (!claimed) {
        RunFolder.deleteEmpty(storage, created);
      }
    }
  }

  /**
   * Checks, as far as possible without writing, that the folder can be obtained.
   *
   * @return the interrupted run to be continued; empty if there is none
   * @throws FormatException under the conditions of {@link #run}, or if the folder cannot be
   *     created
   */
  public Optional<RunRecord> check() throws IOException {
    try {
      resumed = checkFolder();
    } catch (FileNotFoundException e) {
      resumed = null; // another run has ended and removed the folder
    }
    return Optional.ofNullable(resumed);
  }

  /** Returns whether the run found by {@link #check} has published its dataset. */
  public boolean isPublished() throws IOException {
    return resumed != null
        && RunOutput.of(files, resumed)
            .isPublished(files, files.folder().parse(resumed.destination()));
  }

  private @Nullable RunRecord checkFolder() throws IOException {
    if (storage.kind(files.folder()) == EntryKind.ABSENT) {
      storage.checkWritable(storage.existing(files.folder()));
      RunOutput.of(files, record).checkFree();
      return null;
    }
    checkMark();
    if (storage.isLocked(files.lock())) {
      throw inUse();
    }
    RunRecord earlier = earlier();
    return resume ? earlier : null;
  }

  /**
   * Returns the interrupted run that left the folder behind, after checking that this run may take
   * the folder; null if the folder is new.
   */
  private @Nullable RunRecord earlier() throws IOException {
    if (files.isFresh()) {
      return null;
    }
    for (SubmittedJob job : files.jobs()) {
      FileError.IN_USE.check(
          !isAlive(job),
          files.show(),
          "is the folder of a run whose job %s has not ended (expected its end; yarn application"
              + " -status %s shows its state)",
          job.application(),
          job.application());
    }
    RunRecord earlier = files.record().orElseThrow();
    if (resume) {
      record.checkContinues(earlier, files.show());
      ownership.checkData();
    }
    return earlier;
  }

  /** Returns the lock of the folder if the run has begun; null if another attempt is needed. */
  private @Nullable RunLock attempt() throws IOException {
    createParents(files.folder().folderAbove());
    if (!storage.createFolder(files.folder())) {
      checkMark();
    }
    RunLock lock;
    try {
      lock = lock();
      if (lock == null) {
        throw inUse();
      }
    } catch (FormatException e) { // or the storage is full, so the lock cannot be created
      storage.deleteEmpty(files.folder()); // created here if the other run has just removed its own
      throw e;
    }
    boolean begun = false;
    try {
      begun = lock.isCurrent() && begin(lock);
      return begun ? lock : null;
    } finally {
      if (!begun) {
        lock.close();
      }
    }
  }

  /**
   * Returns the lock, or null if another process holds it. A run to be continued is expected to
   * have ended, so this method waits as long as a lock can outlast its process.
   */
  private @Nullable RunLock lock() throws IOException {
    StoragePath file = files.lock();
    RunLock lock = storage.lock(file);
    long millis = resume ? storage.lockMillis() : 0;
    if (lock == null && millis > 0) {
      messages.accept(
          "waiting for the lock of the run in %s, for up to %d s"
              .formatted(files.show(), millis / 1000));
    }
    for (long waited = 0; lock == null && waited < millis; waited += POLL_MILLIS) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted").initCause(e);
      }
      lock = storage.lock(file);
    }
    return lock;
  }

  /** Begins a run in the locked folder, or removes the files of an interrupted run. */
  private boolean begin(RunLock lock) throws IOException {
    RunRecord earlier = earlier();
    if (earlier == null) {
      try {
        files.write(record);
        return true;
      } catch (IOException e) {
        files.delete(lock);
        throw e;
      }
    }
    if (resume) {
      resume(earlier);
      return true;
    }
    Replacement.undo(files);
    long committed = files.committed();
    if (committed > 0) {
      messages.accept(
          Quote.sentence(
                  "removing the %d complete files of the run of %s in %s (--resume would have",
                  committed, earlier.started(), files.show())
              + " continued it)");
    }
    removeOutput(earlier);
    files.delete(lock);
    return false;
  }

  private boolean isAlive(SubmittedJob job) throws IOException {
    String document = files.show(job);
    FileError.IN_USE.check(
        job.hasId(),
        document,
        "names no application of YARN (expected application_<n>_<n>.json; delete the file if no job"
            + " writes to this folder)");
    try {
      return isAlive.apply(job);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw FileError.IN_USE
          .in(
              document,
              "records an application whose state is unknown (expected one that has ended: delete"
                  + " the file if yarn application -status %s confirms that it has ended, or if"
                  + " there is no YARN): %s",
              job.application(),
              e.getMessage())
          .causedBy(e);
    }
  }

  /** Removes an incomplete dataset that an interrupted run has written at the path. */
  private void removeOutput(RunRecord earlier) throws IOException {
    RunOutput.of(files, earlier)
        .remove()
        .ifPresent(
            remains ->
                messages.accept(
                    Quote.sentence(
                        "removed %d files and %d pending uploads that the dead run of %s had left in %s",
                        remains.files(),
                        remains.uploads(),
                        earlier.started(),
                        files.folder().parse(earlier.destination()).shown())));
  }

  /** Takes over the folder of an interrupted run and keeps its complete files. */
  private void resume(RunRecord earlier) throws IOException {
    if (earlier.isDirect() && files.isComplete()) {
      record = record.continuing(earlier); // its marker is in the dataset
    } else {
      removeOutput(earlier);
    }
    Replacement.undo(files);
    files.removeUnfinished();
    files.write(record);
    resumed = earlier;
  }

  /** Creates missing parents one by one, so that each is known to be new. */
  private void createParents(StoragePath parent) throws IOException {
    if (storage.kind(parent) != EntryKind.ABSENT) {
      return;
    }
    createParents(parent.folderAbove());
    if (storage.createFolder(parent) && !created.contains(parent)) {
      created.add(parent);
      storage.force(parent.folderAbove());
    }
  }

  /** Checks that the folder, unless it is empty, was created by this program and this user. */
  private void checkMark() throws IOException {
    ownership.checkEntries();
    String path = files.show();
    EntryKind kind = storage.kind(files.folder());
    if (kind == EntryKind.ABSENT) {
      throw new FileNotFoundException(path); // another run has removed it since it was found
    }
    FileError.NOT_REPLACEABLE.check(
        kind == EntryKind.FOLDER,
        path,
        "blocks the run, whose working folder has this name (expected none, or one of an earlier"
            + " run)");
    if (!files.isFresh() && files.record().isEmpty()) {
      checkExists();
      throw FileError.NOT_REPLACEABLE.in(
          path,
          "blocks the run, whose working folder has the same name, and contains no %s from an"
              + " earlier run (expected no folder with this name)",
          RunRecord.FILE);
    }
  }

  /** Checks that no other run is removing the folder or has removed it since it was listed. */
  private void checkExists() throws IOException {
    if (storage.kind(files.folder()) == EntryKind.ABSENT) {
      throw new FileNotFoundException(files.show());
    }
    if (storage.isLocked(files.lock())) {
      throw inUse();
    }
  }

  private static String started(RunRecord run) {
    return ", started by %s on %s at %s".formatted(run.user(), run.host(), run.started());
  }

  /** Returns the error for a lock that is held by another process, whose job can outlive it. */
  private FormatException inUse() throws IOException {
    String by = files.record().map(RunClaim::started).orElse("");
    List<SubmittedJob> jobs = files.jobs();
    String state = "";
    if (!jobs.isEmpty()) {
      String application = jobs.get(jobs.size() - 1).application();
      by += ", with the job " + application;
      state = "; yarn application -status %s shows its state".formatted(application);
    } else if (storage.lockMillis() > 0) {
      state =
          "; the lock of a killed process ends after %d s".formatted(storage.lockMillis() / 1000);
    }
    return FileError.IN_USE.in(
        files.show(), "another run is writing here%s (expected no other run%s)", by, state);
  }
}
