package org.saevhadoop.format.publish.run;

import static java.util.stream.Collectors.joining;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.storage.RunLock;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.Uninterrupted;

/**
 * The folder of a run, next to the path to which the run writes. It belongs to the run from {@link
 * #claim} to {@link #close}, which removes it.
 */
public final class RunFolder implements Closeable {
  /** Priority that makes the hook run before Hadoop closes its file systems. */
  static final int HOOK_PRIORITY = 20;

  private final RunFiles files;
  private final RunRecord record;
  private final RunOutput output;
  private final RunLock lock;
  private final List<StoragePath> created;
  private final Thread hook = new Thread(this::closeAtShutdown);
  private final @Nullable RunRecord resumed;
  private final Consumer<String> stopped;
  private final Set<SubmittedJob> live = ConcurrentHashMap.newKeySet();
  private boolean isPublished;
  private boolean isUseless;
  private boolean hasEnded;

  /**
   * Creates the folder of a run that has been claimed.
   *
   * @param resumed the earlier run that is continued; null if there is none
   * @param created the parent folders that were created
   * @param stopped accepts a description of the state in which a signal leaves the run
   * @throws InterruptedIOException if the JVM is being stopped; the folder is closed
   */
  RunFolder(
      RunFiles files,
      RunRecord record,
      @Nullable RunRecord resumed,
      RunLock lock,
      List<StoragePath> created,
      Consumer<String> stopped)
      throws IOException {
    this.files = files;
    this.record = record;
    this.output = RunOutput.of(files, record);
    this.resumed = resumed;
    this.lock = lock;
    this.created = created;
    this.stopped = stopped;
    try {
      StoppedJvm.addHook(hook, HOOK_PRIORITY);
    } catch (InterruptedIOException e) {
      closeAtShutdown();
      throw e;
    }
  }

  private void closeAtShutdown() {
    try {
      StoppedJvm.awaitWork();
      close();
      stopped.accept(state());
    } catch (IOException e) {
      // the next run recognizes leftover files by their mark, and removes them
    }
  }

  private StoragePath destination() {
    return files.folder().parse(record.destination());
  }

  /** Returns the files that {@link #close} has left behind. */
  private String state() throws IOException {
    if (!live.isEmpty()) {
      return (live.size() == 1
              ? "%s goes on and writes to %s: once it has ended, the same command with --resume continues the run"
              : "%s go on and write to %s: once they have ended, the same command with --resume continues the run")
          .formatted(
              live.stream().map(SubmittedJob::application).sorted().collect(joining(", ")),
              files.show());
    }
    String destination = destination().shown();
    if (isPublished || isPublished()) {
      return "the dataset is complete in " + destination;
    }
    return files.storage().kind(files.folder()) != EntryKind.ABSENT
        ? "complete files stay in %s: the same command with --resume continues the run"
            .formatted(files.show())
        : "nothing was written to " + destination;
  }

  /**
   * Returns whether the dataset in the folder of a run is complete, whether or not it has been
   * moved to its path.
   */
  public static boolean isComplete(StoragePath folder, RunStorage storage) throws IOException {
    return new RunFiles(storage, folder).isComplete();
  }

  /**
   * Creates the folder of a run, or continues the interrupted run that left it behind.
   *
   * @param isAlive returns whether a job has not ended: a job on YARN can outlive its client
   * @param leftovers whether an interrupted run is continued
   * @throws FormatException if another run is active, if this program did not create the folder, or
   *     if the run to continue has another source or other settings
   */
  public static RunFolder claim(
      StoragePath folder,
      RunRecord record,
      Io.Function<SubmittedJob, Boolean> isAlive,
      Leftovers leftovers,
      RunStorage storage)
      throws IOException {
    return new RunClaim(folder, record, isAlive, leftovers, storage).run();
  }

  /**
   * Checks that a folder belongs to a run.
   *
   * @throws FormatException if the folder no longer exists or belongs to another run
   */
  public static void checkOwner(StoragePath folder, String run, RunStorage storage)
      throws IOException {
    Optional<RunRecord> record = new RunFiles(storage, folder).record();
    FileError.IN_USE.check(
        record.isPresent() && record.get().id().equals(run),
        folder.shown(),
        "%s (expected run %s)",
        record.isPresent() ? "was taken over by another run" : "was removed by another run",
        run);
  }

  public RunRecord record() {
    return record;
  }

  /** Returns the interrupted run that this run continues, if any. */
  public Optional<RunRecord> resumed() {
    return Optional.ofNullable(resumed);
  }

  /** Returns whether the dataset of the run is already at its path. */
  public boolean isPublished() throws IOException {
    return output.isPublished(files, destination());
  }

  /**
   * Checks that nothing but the dataset of this run is at the path, if the run writes there.
   *
   * @throws FormatException if something else exists at the path
   */
  public void checkFree() throws IOException {
    output.checkFree();
  }

  /** Marks the path as unfinished, if the run writes the dataset there. */
  public void begin() throws IOException {
    output.begin();
  }

  /**
   * Removes the files that a lost job has left at the path, if this run writes the dataset there:
   * some of these files may lack their companions.
   */
  public void clear() throws IOException {
    if (!files.isComplete()) {
      output.clear();
    }
  }

  /**
   * Removes the files that a run has written at the path of the dataset, if its marker exists. The
   * marker stays as long as the run has its folder.
   */
  public static void clear(StoragePath folder, String run, RunStorage storage) throws IOException {
    RunFiles files = new RunFiles(storage, folder);
    Optional<RunRecord> record = files.record().filter(found -> found.id().equals(run));
    if (record.isPresent()) {
      RunOutput.of(files, record.get()).clear();
    }
  }

  /** Returns the folder in which the job writes: the folder of the dataset. */
  public StoragePath data() {
    return output.dataset();
  }

  public StoragePath path() {
    return files.folder();
  }

  /** Records a job on YARN, which may outlive this process. Any thread may call this method. */
  public void record(SubmittedJob job) throws IOException {
    live.add(job);
    files.write(job);
  }

  /** Marks a recorded job as ended. */
  public void ended(SubmittedJob job) {
    live.remove(job);
  }

  /** Records that the dataset is published, so that a later run does not use the folder. */
  public void markPublished() {
    isPublished = true;
  }

  /** Records that the dataset cannot be written; a later run would fail as well. */
  public void markUseless() {
    isUseless = true;
  }

  /**
   * Returns whether {@link #close} leaves the folder for a later run to continue: the run has not
   * ended, and some files are complete.
   */
  public boolean isKept() throws IOException {
    return !isPublished && !isUseless && output.isOfUse();
  }

  /**
   * Removes the folder unless it is kept, removes the empty parent folders that were created for
   * it, and ends the claim. A dataset that was moved away to be replaced is put back unless the new
   * one is at its path. Nothing is removed before a job on YARN has ended, because the job still
   * writes files.
   */
  @Override
  public void close() throws IOException {
    try {
      Uninterrupted.run(this::endClaim);
    } finally {
      StoppedJvm.removeHook(hook); // until now, the hook waits for this thread
    }
  }

  private void endClaim() throws IOException {
    try (lock) {
      if (!live.isEmpty()) {
        return;
      }
      synchronized (RunFolder.class) {
        if (!hasEnded && lock.isCurrent()) {
          hasEnded = true;
          isPublished |= isPublished(); // cannot be determined once the folder is removed
          end();
        }
      }
      deleteEmpty(files.storage(), created);
    }
  }

  private void end() throws IOException {
    boolean kept = isKept();
    Replacement.undo(files);
    if (kept) {
      files.storage().delete(RunPaths.work(files.folder()));
    } else {
      output.remove();
      files.delete(lock);
    }
  }

  /** Deletes nested folders from the innermost one outwards, up to the first that is not empty. */
  static void deleteEmpty(RunStorage storage, List<StoragePath> folders) throws IOException {
    boolean deleted = true;
    for (int i = folders.size() - 1; i >= 0 && deleted; i--) {
      deleted = storage.deleteEmpty(folders.get(i));
    }
  }
}
