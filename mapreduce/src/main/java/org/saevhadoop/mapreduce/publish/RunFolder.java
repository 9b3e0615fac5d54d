package org.saevhadoop.mapreduce.publish;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.Uninterrupted;
import org.saevhadoop.mapreduce.publish.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.RunStorage.EntryKind;

/**
 * The folder of a run, beside the path that the run writes. It belongs to the run from {@link
 * #claim} to {@link #close}, which removes it.
 */
public final class RunFolder implements Closeable {
  static final String LOCK = "lock";

  /** Before Hadoop closes its file systems. */
  private static final int HOOK_PRIORITY = 20;

  private final Path folder;
  private final RunStorage storage;
  private final RunRecord record;
  private final RunLock lock;
  private final List<Path> created;
  private final Thread hook = new Thread(this::closeAtShutdown);
  private final RunRecord resumed;
  private boolean hasLiveJob;
  private boolean isFinal;

  /**
   * Creates the folder of a run that has been claimed.
   *
   * @param resumed the earlier run that is continued; null if there is none
   * @param created the parent folders that were created
   */
  RunFolder(
      Path folder,
      RunStorage storage,
      RunRecord record,
      RunRecord resumed,
      RunLock lock,
      List<Path> created) {
    this.folder = folder;
    this.storage = storage;
    this.record = record;
    this.resumed = resumed;
    this.lock = lock;
    this.created = created;
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
  }

  private void closeAtShutdown() {
    try {
      close();
    } catch (IOException e) {
      // what is left behind has a mark, by which the next run recognizes and removes it
    }
  }

  /**
   * Returns whether the dataset in the folder of a run is complete, so that it only has to be moved
   * to its path, or has been moved there.
   */
  public static boolean isComplete(Path folder, Configuration conf) throws IOException {
    return isComplete(RunStorage.of(folder, conf), folder);
  }

  static boolean isComplete(RunStorage storage, Path folder) throws IOException {
    return storage.kind(CompleteMark.path(folder)) != EntryKind.ABSENT;
  }

  /**
   * Creates the folder of a run, after the remains of a dead run were removed.
   *
   * @param folder the path of the folder
   * @param record the run
   * @param applications reports which applications on YARN have not ended
   * @throws FormatException if another run is at work, or if this program did not create the folder
   */
  public static RunFolder claim(
      Path folder, RunRecord record, LiveApplications applications, Configuration conf)
      throws IOException {
    return claim(folder, record, applications, Leftovers.removed(message -> {}), conf);
  }

  /**
   * Creates the folder of a run, or continues the dead run that has left one.
   *
   * @param folder the path of the folder
   * @param record the run
   * @param applications reports which applications on YARN have not ended
   * @param leftovers whether a dead run is continued
   * @throws FormatException if another run is at work, if this program did not create the folder,
   *     or if a run that is to be continued read or wrote something else
   */
  public static RunFolder claim(
      Path folder,
      RunRecord record,
      LiveApplications applications,
      Leftovers leftovers,
      Configuration conf)
      throws IOException {
    return new RunClaim(folder, RunStorage.of(folder, conf), record, applications, leftovers).run();
  }

  /**
   * Returns the record of a run; empty if the folder has none.
   *
   * @throws FormatException if a later version of this program wrote it
   */
  static Optional<RunRecord> record(RunStorage storage, Path folder) throws IOException {
    Path file = PathArgument.child(folder, RunRecord.FILE);
    return storage.kind(file) == EntryKind.FILE
        ? RunRecord.parse(HadoopStorage.show(file), storage.read(file))
        : Optional.empty();
  }

  /**
   * Checks that a folder belongs to a run.
   *
   * @throws FormatException if the folder is gone or belongs to another run
   */
  public static void checkOwner(Path folder, String run, Configuration conf) throws IOException {
    Optional<RunRecord> record = record(RunStorage.of(folder, conf), folder);
    FileError.IN_USE.check(
        record.isPresent() && record.get().id().equals(run),
        HadoopStorage.show(folder),
        "%s (expected run %s)",
        record.isPresent() ? "was taken over by another run" : "was removed by another run",
        run);
  }

  /**
   * Removes a run's folder, whose lock is held. A dataset that was moved away to be replaced is put
   * back unless the new one is at its path.
   */
  static void remove(RunStorage storage, Path folder, RunLock lock) throws IOException {
    putBack(storage, folder);
    delete(storage, folder, lock);
  }

  /** Returns the dataset that a run writes at its path; empty if it writes in its folder. */
  static Optional<DirectOutput> direct(RunStorage storage, RunRecord record) {
    return record.isDirect()
        ? Optional.of(new DirectOutput(storage, new Path(record.destination())))
        : Optional.empty();
  }

  /**
   * Puts a dataset back that was moved away to be replaced, unless the new one is at its path.
   *
   * @throws FormatException if something else is there
   */
  static void putBack(RunStorage storage, Path folder) throws IOException {
    Optional<RunRecord> record = record(storage, folder);
    if (record.isPresent()) {
      DirectOutput.undoReplacement(storage, record.get(), folder);
    }
    Path replaced = RunPaths.replaced(folder);
    if (record.isPresent() && storage.kind(replaced) != EntryKind.ABSENT) {
      Path destination = new Path(record.get().destination());
      if (storage.kind(destination) == EntryKind.ABSENT) {
        storage.rename(replaced, destination);
      } else {
        FileError.NOT_REPLACEABLE.check(
            storage.kind(new Path(record.get().written())) == EntryKind.ABSENT,
            HadoopStorage.show(replaced),
            "is the dataset that a killed run was replacing, and something else is at %s by now"
                + " (expected one of them: move the other one away)",
            HadoopStorage.show(destination));
      }
    }
  }

  /**
   * Deletes the mark last, so that a half-deleted folder can still be recognized. The data is first
   * moved to the folder of unfinished work, because a later run must not continue a part of it.
   */
  static void delete(RunStorage storage, Path folder, RunLock lock) throws IOException {
    Set<String> last = Set.of(RunRecord.FILE, LOCK);
    if (storage.kind(folder) == EntryKind.ABSENT) {
      return;
    }
    if (storage.hasFolders() && storage.kind(RunPaths.data(folder)) == EntryKind.FOLDER) {
      storage.delete(RunPaths.work(folder));
      storage.rename(RunPaths.data(folder), RunPaths.work(folder));
    }
    for (Entry entry : storage.list(folder)) {
      if (!last.contains(entry.name())) {
        storage.delete(PathArgument.child(folder, entry.name()));
      }
    }
    storage.delete(PathArgument.child(folder, RunRecord.FILE));
    lock.stopRenewal();
    storage.delete(PathArgument.child(folder, LOCK));
    storage.deleteEmpty(folder);
  }

  /** Returns the run. */
  public RunRecord record() {
    return record;
  }

  /** Returns the dead run that this one continues, if it continues one. */
  public Optional<RunRecord> resumed() {
    return Optional.ofNullable(resumed);
  }

  /** Returns whether the dataset of the run is at its path already. */
  public boolean isPublished() throws IOException {
    Optional<DirectOutput> direct = direct(storage, record);
    return isComplete()
        && (direct.isPresent()
            ? !direct.get().isUnfinished(record.id())
            : storage.kind(data()) == EntryKind.ABSENT)
        && storage.kind(new Path(record.destination())) != EntryKind.ABSENT;
  }

  private boolean isComplete() throws IOException {
    return isComplete(storage, folder);
  }

  /**
   * Checks that nothing but the dataset of this run is at the path, if the run writes there.
   *
   * @throws FormatException if something else is there
   */
  public void checkDirect() throws IOException {
    Optional<DirectOutput> direct = direct(storage, record);
    if (direct.isPresent() && !direct.get().isUnfinished(record.id())) {
      direct.get().checkFree();
    }
  }

  /**
   * Removes the files that a run has written at the path of the dataset, if its marker is there.
   * The marker stays as long as the run has its folder.
   *
   * @param folder the folder of the run
   */
  public static void removeDirect(Path folder, String run, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(folder, conf);
    Optional<RunRecord> record = record(storage, folder).filter(found -> found.id().equals(run));
    if (record.isPresent()) {
      Optional<DirectOutput> direct = direct(storage, record.get());
      if (direct.isPresent() && direct.get().isUnfinished(run)) {
        direct.get().removeFiles();
      }
    }
  }

  /**
   * Removes what a job that was lost has left at the path, if this run writes the dataset there: a
   * file may have appeared without its companions.
   */
  public void removeFiles() throws IOException {
    Optional<DirectOutput> direct = direct(storage, record);
    if (direct.isPresent() && direct.get().isUnfinished(record.id()) && !isComplete()) {
      direct.get().removeFiles();
    }
  }

  /** Marks the path as unfinished, if the run writes the dataset there. */
  public void begin() throws IOException {
    Optional<DirectOutput> direct = direct(storage, record);
    if (direct.isPresent()) {
      direct.get().begin(record, folder);
    }
  }

  /**
   * Returns whether a dataset can be written at its path: the storage has no folders, and nothing
   * is there but what an unfinished run has left.
   */
  public static boolean canWriteDirectly(Path destination, Configuration conf) throws IOException {
    return DirectOutput.isPossible(destination, conf);
  }

  /** Returns whether a run has left an unfinished dataset at a path itself. */
  public static boolean isUnfinished(Path destination, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(destination, conf);
    return !storage.hasFolders() && new DirectOutput(storage, destination).marker().isPresent();
  }

  /**
   * Returns the number of files that tasks have committed, or that were left by an earlier run that
   * is continued.
   */
  static long committed(RunStorage storage, Path folder) throws IOException {
    Path data = RunPaths.data(folder);
    return storage.kind(data) != EntryKind.FOLDER
        ? 0
        : storage.list(data).stream().filter(entry -> entry.kind() == EntryKind.FILE).count();
  }

  /** Returns the folder in which the job writes: that of the dataset. */
  public Path data() {
    return record.isDirect() ? new Path(record.destination()) : RunPaths.data(folder);
  }

  /** Returns the path of the folder. */
  public Path path() {
    return folder;
  }

  /** Records a job on YARN, which may outlive this process. */
  public void record(SubmittedJob job) throws IOException {
    hasLiveJob = true;
    storage.write(PathArgument.child(folder, job.fileName()), job.toJson());
  }

  /** Records that the job has ended. */
  public void recordEnd() {
    hasLiveJob = false;
  }

  /** Returns whether the storage of a path has folders, which renames move as a whole. */
  public static boolean hasFolders(Path path, Configuration conf) throws IOException {
    return RunStorage.of(path, conf).hasFolders();
  }

  /**
   * Creates a folder in another one. Missing folders between them are created too, but never the
   * outer one: if another process has removed it, its run is over. Does nothing on a storage in
   * which folders need not be created.
   *
   * @throws FileNotFoundException if the outer folder does not exist
   */
  public static void createWithin(Path outer, Path inner, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(outer, conf);
    FileSystem fs = outer.getFileSystem(conf);
    if (!storage.hasFolders()) {
      return;
    }
    Path root = fs.makeQualified(outer);
    Path folder = inner.getFileSystem(conf).makeQualified(inner);
    Deque<Path> missing = new ArrayDeque<>();
    while (folder != null && !folder.equals(root)) {
      missing.push(folder);
      folder = folder.getParent();
    }
    if (folder == null) { // committers may keep the files of tasks elsewhere
      inner.getFileSystem(conf).mkdirs(inner);
      return;
    }
    for (Path path : missing) {
      storage.createFolder(path);
    }
  }

  /**
   * Records that nothing in the folder is of use to a later run: the dataset is published, or
   * cannot be written.
   */
  public void markFinal() {
    isFinal = true;
  }

  /**
   * Returns whether {@link #close} leaves the folder to a later run that continues this one: the
   * run is not over, and files are complete. On storages without folders, files are committed when
   * the job is, so the dataset is complete or of no use.
   */
  public boolean isKept() throws IOException {
    return !isFinal
        && (storage.hasFolders()
            ? committed(storage, folder) > 0
            : record.isDirect() && isComplete() && !isPublished());
  }

  /**
   * Removes the folder unless it is kept, and the parent folders that were created for it and are
   * empty, and ends the claim. A dataset that was moved away to be replaced is put back unless the
   * new one is at its path. Nothing is removed while a job on YARN has not ended: it still writes
   * there.
   */
  @Override
  public void close() throws IOException {
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
    Uninterrupted.run(this::endClaim);
  }

  private void endClaim() throws IOException {
    try (lock) {
      if (hasLiveJob) {
        return;
      }
      synchronized (DatasetPublication.class) {
        if (lock.isCurrent()) {
          end();
        }
      }
      deleteEmpty(storage, created);
    }
  }

  private void end() throws IOException {
    if (isKept()) {
      putBack(storage, folder);
      storage.delete(RunPaths.work(folder));
    } else {
      Optional<DirectOutput> direct = direct(storage, record);
      if (direct.isPresent()) {
        direct.get().remove(record.id());
      }
      remove(storage, folder, lock);
    }
  }

  /** Deletes nested folders from the innermost one outwards, up to the first that is not empty. */
  static void deleteEmpty(RunStorage storage, List<Path> folders) throws IOException {
    boolean deleted = true;
    for (int i = folders.size() - 1; i >= 0 && deleted; i--) {
      deleted = storage.deleteEmpty(folders.get(i));
    }
  }
}
