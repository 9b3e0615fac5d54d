package org.saevhadoop.format.publish.run;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.UnfinishedMarker;

/**
 * The replacement of an older dataset by a complete one: the older one is moved to the folder of
 * the run, and the new one to the path. On a storage where a rename copies each file, the files are
 * moved one by one, under an {@link UnfinishedMarker}, and {@code replaced.json} lists the files of
 * the older dataset. If a run is interrupted during a replacement, the next run undoes the
 * replacement.
 *
 * @param storage the storage of both datasets
 * @param written the new dataset
 */
public record Replacement(
    RunStorage storage, StoragePath folder, StoragePath written, StoragePath destination) {
  private static final TypeReference<TreeSet<String>> NAMES = new TypeReference<>() {};

  /**
   * Replaces the dataset and leaves the older one in the folder of the run. If the replacement
   * fails, the older dataset is put back.
   *
   * @param old the names of the files at the path
   * @throws FormatException if other files are at the path
   */
  public void run(Set<String> old) throws IOException {
    StoragePath replaced = RunPaths.replaced(folder);
    storage.rename(destination, replaced);
    try {
      checkUnchanged(replaced, old);
      storage.force(folder);
      storage.force(destination.folderAbove());
      storage.rename(written, destination);
    } catch (IOException e) {
      try {
        // if the response to a successful rename was lost, the new dataset is at the path
        if (storage.kind(destination) == EntryKind.ABSENT) {
          storage.rename(replaced, destination);
        }
      } catch (IOException next) {
        e.addSuppressed(next);
      }
      throw e;
    }
  }

  /**
   * Replaces the dataset as {@link #run} does, but under the marker of the run, on storage systems
   * where a rename copies each file.
   *
   * @param old the names of the files at the path; empty if nothing exists
   */
  public void runByFiles(Set<String> old) throws IOException {
    storage.write(oldNames(), Jackson.MAPPER.writeValueAsBytes(new TreeSet<>(old)));
    output().mark();
    try {
      Set<String> found = new HashSet<>(old);
      found.add(UnfinishedMarker.NAME);
      checkUnchanged(destination, found);
      storage.createFolder(RunPaths.replaced(folder));
      move(old, destination, RunPaths.replaced(folder));
      move(names(written), written, destination);
    } catch (IOException e) {
      try {
        moveBack();
      } catch (IOException next) {
        e.addSuppressed(next);
      }
      throw e;
    }
    storage.delete(written);
    DirectOutput.publish(storage, destination);
  }

  /**
   * Restores the dataset that an interrupted run was replacing, unless the new dataset is already
   * in its place.
   *
   * @throws FormatException if something else exists at the path
   */
  static void undo(RunFiles files) throws IOException {
    Optional<RunRecord> found = files.record();
    if (found.isEmpty() || found.get().isDirect()) {
      return;
    }
    RunStorage storage = files.storage();
    RunRecord run = found.get();
    StoragePath recorded = files.folder().parse(run.destination());
    StoragePath written = files.folder().parse(run.written());
    if (!recorded.isRoot()) { // the path next to the folder, perhaps under another name
      StoragePath destination = files.folder().folderAbove().child(recorded.name());
      new Replacement(storage, files.folder(), written, destination).undoByFiles();
    }
    StoragePath replaced = RunPaths.replaced(files.folder());
    if (storage.kind(replaced) == EntryKind.ABSENT) {
      return;
    }
    if (storage.kind(recorded) == EntryKind.ABSENT) {
      storage.rename(replaced, recorded);
    } else {
      FileError.NOT_REPLACEABLE.check(
          storage.kind(written) == EntryKind.ABSENT,
          replaced.shown(),
          "is the dataset that a killed run was replacing, but there is now something else at %s"
              + " (expected only one of the two: move the other away)",
          recorded.shown());
    }
  }

  /** Undoes a replacement that a run has begun file by file; otherwise does nothing. */
  public void undoByFiles() throws IOException {
    if (!storage.hasFolders() && output().isUnfinished()) {
      moveBack();
    }
  }

  /** Returns the output at the path, where the run puts its marker. */
  private DirectOutput output() throws IOException {
    RunFiles files = new RunFiles(storage, folder);
    return new DirectOutput(files, destination, files.record().orElseThrow().id());
  }

  /**
   * Undoes a replacement after any of its steps. This method may be called again after an
   * interruption.
   */
  private void moveBack() throws IOException {
    StoragePath replaced = RunPaths.replaced(folder);
    Set<String> old = storage.readFiles(oldNames(), NAMES);
    Set<String> moved = names(replaced);
    Set<String> unmoved = names(written);
    storage.createFolder(written);
    for (String name : names(destination)) {
      StoragePath file = destination.child(name);
      boolean isOld = old.contains(name) && !moved.contains(name);
      if (name.equals(UnfinishedMarker.NAME) || isOld) {
        continue;
      }
      if (unmoved.contains(name)) {
        storage.delete(file); // a copy
      } else {
        storage.rename(file, written.child(name));
      }
    }
    move(moved, replaced, destination);
    storage.delete(replaced);
    DirectOutput.publish(storage, destination);
    storage.delete(oldNames());
    storage.deleteEmpty(destination);
  }

  private StoragePath oldNames() {
    return RunPaths.replaced(folder).suffix(".json");
  }

  private void move(Set<String> names, StoragePath from, StoragePath to) throws IOException {
    for (String name : names) {
      storage.rename(from.child(name), to.child(name));
    }
  }

  private Set<String> names(StoragePath path) throws IOException {
    return storage.kind(path) == EntryKind.ABSENT
        ? Set.of()
        : storage.list(path).stream().map(Entry::name).collect(Collectors.toSet());
  }

  private void checkUnchanged(StoragePath path, Set<String> expected) throws IOException {
    FileError.NOT_REPLACEABLE.check(
        names(path).equals(expected),
        path.shown(),
        "was changed while it was being replaced (expected the files that were there before)");
  }
}
