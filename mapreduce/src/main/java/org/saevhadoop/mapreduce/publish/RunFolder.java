package org.saevhadoop.mapreduce.publish;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
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
import org.saevhadoop.mapreduce.publish.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.RunStorage.EntryKind;

/**
 * The folder of a run, beside the path that the run writes. It belongs to the run from {@link
 * #claim} to {@link #close}, which removes it.
 */
public final class RunFolder implements Closeable {
  static final String REPLACED = "replaced";

  private static final String SUFFIX = ".saev-hadoop";
  private static final String DATA = "data";
  static final String LOCK = "lock";
  private static final int MAX_NAME_BYTES = 255;
  private static final int HASH_BYTES = 8;

  /** Before Hadoop closes its file systems. */
  private static final int HOOK_PRIORITY = 20;

  private final Path folder;
  private final RunStorage storage;
  private final RunRecord record;
  private final RunLock lock;
  private final List<Path> created;
  private final Thread hook = new Thread(this::closeAtShutdown);
  private boolean hasLiveJob;

  RunFolder(Path folder, RunStorage storage, RunRecord record, RunLock lock, List<Path> created) {
    this.folder = folder;
    this.storage = storage;
    this.record = record;
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

  /** Returns the path of the folder of runs that write to a path. */
  public static Path of(Path destination) {
    return named(destination.getParent(), destination.getName());
  }

  /**
   * Returns the path of the folder in which a source is staged, beside the path to which it is
   * converted.
   */
  public static Path forStaging(Path source, Path destination) {
    Path parent = destination.isRoot() ? destination : destination.getParent();
    String name = destination.isRoot() ? "root" : destination.getName();
    return named(parent, name + "." + hash(source + "\n" + destination));
  }

  /** Returns the path of the folder of runs in a parent folder. */
  static Path named(Path parent, String name) {
    String whole = "_" + name + SUFFIX;
    if (bytes(whole) <= MAX_NAME_BYTES) {
      return PathArgument.child(parent, whole);
    }
    String end = "." + hash(name) + SUFFIX;
    int length = name.length();
    while (bytes("_" + name.substring(0, length) + end) > MAX_NAME_BYTES
        || Character.isHighSurrogate(name.charAt(length - 1))) {
      length--;
    }
    return PathArgument.child(parent, "_" + name.substring(0, length) + end);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns a short hash of a text, for names of files. */
  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  /** Returns the folder in which the job of a run writes. */
  public static Path data(Path folder) {
    return PathArgument.child(folder, DATA);
  }

  /** Returns the path to which a dataset is moved while it is being replaced. */
  static Path replaced(Path folder) {
    return PathArgument.child(folder, REPLACED);
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
    return new RunClaim(folder, RunStorage.of(folder, conf), record, applications).run();
  }

  /** Returns the record of a run; empty if the folder has none. */
  static Optional<RunRecord> record(RunStorage storage, Path folder) throws IOException {
    Path file = PathArgument.child(folder, RunRecord.FILE);
    return storage.kind(file) == EntryKind.FILE
        ? RunRecord.parse(storage.read(file))
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
   * Removes a run's folder. A dataset that was moved away to be replaced is put back unless the new
   * one is at its path.
   */
  static void remove(RunStorage storage, Path folder) throws IOException {
    Optional<RunRecord> record = record(storage, folder);
    Path replaced = replaced(folder);
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
    delete(storage, folder);
  }

  /** Deletes the mark last, so that a half-deleted folder can still be recognized. */
  static void delete(RunStorage storage, Path folder) throws IOException {
    Set<String> last = Set.of(RunRecord.FILE, LOCK);
    if (storage.kind(folder) == EntryKind.ABSENT) {
      return;
    }
    for (Entry entry : storage.list(folder)) {
      if (!last.contains(entry.name())) {
        storage.delete(PathArgument.child(folder, entry.name()));
      }
    }
    storage.delete(PathArgument.child(folder, RunRecord.FILE));
    storage.delete(PathArgument.child(folder, LOCK));
    storage.deleteEmpty(folder);
  }

  /** Returns the run. */
  public RunRecord record() {
    return record;
  }

  /** Returns the folder in which the job writes. */
  public Path data() {
    return data(folder);
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
   * Removes the folder, and the parent folders that were created for it and are empty, and ends the
   * claim. A dataset that was moved away to be replaced is put back unless the new one is at its
   * path. Nothing is removed while a job on YARN has not ended: it still writes there.
   */
  @Override
  public void close() throws IOException {
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
    try (lock) {
      if (hasLiveJob) {
        return;
      }
      synchronized (DatasetPublication.class) {
        if (lock.isCurrent()) {
          remove(storage, folder);
        }
      }
      deleteEmpty(storage, created);
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
