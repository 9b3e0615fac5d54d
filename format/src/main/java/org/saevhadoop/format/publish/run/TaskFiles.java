package org.saevhadoop.format.publish.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The files of the tasks of a run, which are renamed into one folder when their task is committed.
 * Any attempt of a task writes the same bytes under the same names, so a file that an earlier
 * attempt has committed is atomically replaced by an identical one. Once all tasks are committed,
 * no files remain to be moved: a later application master, or a later run, finds the committed
 * files in place. The folder must be invisible to readers until all tasks are committed.
 *
 * @param target the folder for committed files
 * @param work the folder that contains the folders of the attempts
 * @param last returns the names of the files of a task that are renamed last: if such a file is in
 *     the folder, its companions are too
 */
public record TaskFiles(
    RunStorage storage,
    StoragePath target,
    StoragePath work,
    Io.Function<Set<String>, Set<String>> last)
    implements JobFiles {
  /** The folder for attempts among staged files. */
  static final String WORK = "_work";

  /** Returns the files of tasks that stage parts in a folder, and rename their records last. */
  public static TaskFiles staged(RunStorage storage, StoragePath folder) {
    return new TaskFiles(storage, folder, folder.child(WORK), StagedFolder::records);
  }

  /** Creates the missing folders; existing ones may belong to an earlier attempt. */
  public void setUp() throws IOException {
    StoppedJvm.unlessStopping(
        () -> {
          storage.createFolder(target);
          storage.createFolder(work);
        });
  }

  @Override
  public void begin() throws IOException {
    end();
    setUp();
  }

  @Override
  public StoragePath folder(String attempt) {
    return work.child(attempt);
  }

  @Override
  public void create(String attempt) throws IOException {
    storage.createWithin(work.folderAbove(), folder(attempt));
  }

  @Override
  public boolean isWritten(String attempt) throws IOException {
    return storage.kind(folder(attempt)) != EntryKind.ABSENT;
  }

  @Override
  public void commit(String attempt, Runnable progress) throws IOException {
    StoragePath folder = folder(attempt);
    Set<String> names = new HashSet<>();
    for (Entry entry : storage.list(folder)) {
      names.add(entry.name());
    }
    Set<String> vouching = last.apply(names);
    List<String> ordered = new ArrayList<>(names);
    ordered.sort((a, b) -> Boolean.compare(vouching.contains(a), vouching.contains(b)));
    for (String name : ordered) {
      storage.replace(folder.child(name), target.child(name));
      progress.run();
    }
    storage.delete(folder);
  }

  @Override
  public void abort(String attempt) throws IOException {
    storage.delete(folder(attempt));
  }

  @Override
  public void end() throws IOException {
    storage.delete(work);
  }

  /** {@inheritDoc} Committed files stay. */
  @Override
  public void discard() throws IOException {
    end();
  }
}
