package org.saevhadoop.format.publish.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.RunLock;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The files in the folder of a run.
 *
 * @param storage the storage of the folder
 */
record RunFiles(RunStorage storage, StoragePath folder) {
  private static final String LOCK = "lock";

  /** The maximum size of a job document in bytes. */
  private static final int MAX_JOB_BYTES = 1 << 16;

  private StoragePath file(String name) {
    return folder.child(name);
  }

  StoragePath lock() {
    return file(LOCK);
  }

  StoragePath data() {
    return RunPaths.data(folder);
  }

  String show() {
    return folder.shown();
  }

  /** Returns the path of a job document. */
  String show(SubmittedJob job) {
    return file(job.fileName()).shown();
  }

  /**
   * Returns the record of the run; empty if the folder has none.
   *
   * @throws FormatException if a later version of this program wrote the record
   */
  Optional<RunRecord> record() throws IOException {
    StoragePath file = file(RunRecord.FILE);
    return storage.kind(file) == EntryKind.FILE
        ? RunRecord.parse(file.shown(), storage.readJson(file, RunRecord.LIMITS))
        : Optional.empty();
  }

  void write(RunRecord record) throws IOException {
    storage.write(file(RunRecord.FILE), record.toJson());
  }

  void write(SubmittedJob job) throws IOException {
    storage.write(file(job.fileName()), job.toJson());
  }

  /** Returns the recorded jobs in the order in which they were submitted. */
  List<SubmittedJob> jobs() throws IOException {
    List<SubmittedJob> jobs = new ArrayList<>();
    for (Entry entry : storage.list(folder)) {
      if (SubmittedJob.isDocument(entry.name())) {
        jobs.add(SubmittedJob.parse(entry.name(), storage.read(file(entry.name()), MAX_JOB_BYTES)));
      }
    }
    jobs.sort(
        Comparator.<SubmittedJob>comparingInt(job -> job.id().length())
            .thenComparing(SubmittedJob::id));
    return jobs;
  }

  /** Returns whether the dataset is complete, whether or not it has been moved to its path. */
  boolean isComplete() throws IOException {
    return storage.kind(RunPaths.complete(folder)) != EntryKind.ABSENT;
  }

  /** Returns the number of committed files, including files of an earlier run that is continued. */
  long committed() throws IOException {
    return storage.kind(data()) == EntryKind.FOLDER ? committed(data()) : 0;
  }

  /** Counts the files in a folder and its subfolders: each of several streams has its own. */
  private long committed(StoragePath parent) throws IOException {
    long count = 0;
    for (Entry entry : storage.list(parent)) {
      if (entry.kind() == EntryKind.FILE) {
        count++;
      } else if (entry.kind() == EntryKind.FOLDER && !entry.name().equals(TaskFiles.WORK)) {
        count += committed(parent.child(entry.name()));
      }
    }
    return count;
  }

  /**
   * Returns whether no run has begun in the folder: it contains at most the lock and a part of the
   * record.
   */
  boolean isFresh() throws IOException {
    StoragePath mark = file(RunRecord.FILE);
    String unfinished = RunStorage.unfinished(mark).name();
    for (Entry entry : storage.list(folder)) {
      String name = entry.name();
      boolean isTornRecord =
          name.equals(RunRecord.FILE)
              && entry.kind() == EntryKind.FILE
              && RunRecord.isTorn(storage.read(mark, RunRecord.LIMITS.bytes()));
      if (!name.startsWith(LOCK) && !name.equals(unfinished) && !isTornRecord) {
        return false;
      }
    }
    return true;
  }

  /**
   * Removes the unfinished work and the job documents of an interrupted run, and keeps complete
   * files.
   */
  void removeUnfinished() throws IOException {
    storage.delete(RunPaths.work(folder));
    for (Entry entry : storage.list(folder)) {
      if (SubmittedJob.isDocument(entry.name())) {
        storage.delete(file(entry.name()));
      }
    }
  }

  /**
   * Deletes the folder, its record last, so that a half-deleted folder can still be recognized. The
   * data is first moved to the folder for unfinished work, because a later run must not continue
   * from part of it.
   *
   * @param lock the lock of the folder, which is held
   */
  void delete(RunLock lock) throws IOException {
    Set<String> last = Set.of(RunRecord.FILE, LOCK);
    if (storage.kind(folder) == EntryKind.ABSENT) {
      return;
    }
    if (storage.hasFolders() && storage.kind(data()) == EntryKind.FOLDER) {
      storage.delete(RunPaths.work(folder));
      storage.rename(data(), RunPaths.work(folder));
    }
    for (Entry entry : storage.list(folder)) {
      if (!last.contains(entry.name())) {
        storage.delete(file(entry.name()));
      }
    }
    storage.delete(file(RunRecord.FILE));
    lock.stopRenewal();
    storage.delete(lock());
    storage.deleteEmpty(folder);
  }
}
