package org.saevhadoop.mapreduce.publish.run;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.UnfinishedMarker;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * The replacement of an older dataset by a complete one: the older one is moved to the folder of
 * the run, and the new one to the path. Where a rename is a copy of each file, the files are moved
 * one by one, under an {@link UnfinishedMarker}, and {@code replaced.json} lists those of the older
 * dataset. A run that dies in between is undone by the next one.
 *
 * @param storage the storage of both datasets
 * @param written the new dataset
 */
public record Replacement(RunStorage storage, Path folder, Path written, Path destination) {
  private static final TypeReference<TreeSet<String>> NAMES = new TypeReference<>() {};

  /**
   * Replaces the dataset, and leaves the older one in the folder of the run. If that fails, the
   * older dataset is put back.
   *
   * @param old the names of the files at the path
   * @throws FormatException if other files are at the path
   */
  public void run(Set<String> old) throws IOException {
    Path replaced = RunPaths.replaced(folder);
    storage.rename(destination, replaced);
    try {
      checkUnchanged(replaced, old);
      storage.force(folder);
      storage.force(destination.getParent());
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
   * The same where a rename is a copy of each file, under the marker of the run.
   *
   * @param old the names of the files at the path; none if nothing is there
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
   * Puts a dataset back that a dead run was replacing, unless the new one is at its path.
   *
   * @throws FormatException if something else is there
   */
  static void undo(RunFiles files) throws IOException {
    Optional<RunRecord> found = files.record();
    if (found.isEmpty() || found.get().isDirect()) {
      return;
    }
    RunStorage storage = files.storage();
    RunRecord run = found.get();
    Path recorded = new Path(run.destination());
    Path written = new Path(run.written());
    if (!recorded.isRoot()) { // the path beside the folder, perhaps by another name of the storage
      Path destination = PathArgument.child(files.folder().getParent(), recorded.getName());
      new Replacement(storage, files.folder(), written, destination).undoByFiles();
    }
    Path replaced = RunPaths.replaced(files.folder());
    if (storage.kind(replaced) == EntryKind.ABSENT) {
      return;
    }
    if (storage.kind(recorded) == EntryKind.ABSENT) {
      storage.rename(replaced, recorded);
    } else {
      FileError.NOT_REPLACEABLE.check(
          storage.kind(written) == EntryKind.ABSENT,
          HadoopStorage.show(replaced),
          "is the dataset that a killed run was replacing, and something else is at %s by now"
              + " (expected one of them: move the other one away)",
          HadoopStorage.show(recorded));
    }
  }

  /** Undoes a replacement that a run has begun file by file; otherwise does nothing. */
  public void undoByFiles() throws IOException {
    if (!storage.hasFolders() && output().isUnfinished()) {
      moveBack();
    }
  }

  /** Returns the path, on which the run puts its marker. */
  private DirectOutput output() throws IOException {
    RunFiles files = new RunFiles(storage, folder);
    return new DirectOutput(files, destination, files.record().orElseThrow().id());
  }

  /** Undoes a replacement after any of its steps. May be repeated after an interruption. */
  private void moveBack() throws IOException {
    Path replaced = RunPaths.replaced(folder);
    Set<String> old = storage.readFiles(oldNames(), NAMES);
    Set<String> moved = names(replaced);
    Set<String> unmoved = names(written);
    storage.createFolder(written);
    for (String name : names(destination)) {
      Path file = PathArgument.child(destination, name);
      boolean isOld = old.contains(name) && !moved.contains(name);
      if (name.equals(UnfinishedMarker.NAME) || isOld) {
        continue;
      }
      if (unmoved.contains(name)) {
        storage.delete(file); // a copy
      } else {
        storage.rename(file, PathArgument.child(written, name));
      }
    }
    move(moved, replaced, destination);
    storage.delete(replaced);
    DirectOutput.publish(storage, destination);
    storage.delete(oldNames());
    storage.deleteEmpty(destination);
  }

  private Path oldNames() {
    return RunPaths.replaced(folder).suffix(".json");
  }

  private void move(Set<String> names, Path from, Path to) throws IOException {
    for (String name : names) {
      storage.rename(PathArgument.child(from, name), PathArgument.child(to, name));
    }
  }

  private Set<String> names(Path path) throws IOException {
    return storage.kind(path) == EntryKind.ABSENT
        ? Set.of()
        : storage.list(path).stream().map(Entry::name).collect(Collectors.toSet());
  }

  private void checkUnchanged(Path path, Set<String> expected) throws IOException {
    FileError.NOT_REPLACEABLE.check(
        names(path).equals(expected),
        HadoopStorage.show(path),
        "was changed while it was being replaced (expected the files that were there before)");
  }
}
