package org.saevhadoop.mapreduce.publish;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.UnfinishedMarker;
import org.saevhadoop.mapreduce.publish.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.RunStorage.EntryKind;

/**
 * A dataset at its path on a storage without folders, where a run writes it, or to which the run
 * moves its files one by one to replace an older dataset. Until it is complete, the path contains
 * an {@link UnfinishedMarker}, and whatever is beside the marker belongs to the run: the path was
 * absent or empty before, or the new dataset was complete.
 */
final class DirectOutput {
  private final RunStorage storage;
  private final Path destination;
  private final Path marker;

  DirectOutput(RunStorage storage, Path destination) {
    this.storage = storage;
    this.destination = destination;
    this.marker = PathArgument.child(destination, UnfinishedMarker.NAME);
  }

  /**
   * What a dead run had left.
   *
   * @param files the number of files, without the marker
   * @param uploads the number of uploads that were not completed
   */
  record Remains(long files, int uploads) {}

  /**
   * Returns whether a dataset can be written at its path: the storage has no folders, and the path
   * is absent, empty, or that of a dataset that another run has left unfinished. A dataset that is
   * being moved to the path will be complete.
   */
  static boolean isPossible(Path destination, Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(destination, conf);
    if (storage.hasFolders()) {
      return false;
    }
    if (isFree(storage, destination)) {
      return true;
    }
    DirectOutput output = new DirectOutput(storage, destination);
    Optional<RunRecord> run = RunFolder.record(storage, RunPaths.of(destination));
    return output.marker().isPresent() && !(run.isPresent() && output.isBeingReplaced(run.get()));
  }

  /** Returns whether nothing is at a path, or an empty folder. */
  private static boolean isFree(RunStorage storage, Path path) throws IOException {
    return switch (storage.kind(path)) {
      case ABSENT -> true;
      case FOLDER -> storage.list(path).isEmpty();
      default -> false;
    };
  }

  /** Returns the marker at the path, if the path has one. */
  Optional<UnfinishedMarker> marker() throws IOException {
    try {
      return Optional.of(UnfinishedMarker.parse(storage.read(marker)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the path has the marker of a run. */
  boolean isUnfinished(String run) throws IOException {
    return marker().filter(found -> found.run().equals(run)).isPresent();
  }

  /**
   * Checks that nothing is at the path.
   *
   * @throws FormatException if something is there; the message says how to remove what a run has
   *     left whose folder is gone
   */
  void checkFree() throws IOException {
    Optional<UnfinishedMarker> found = marker();
    if (found.isPresent()) {
      throw FileError.UNFINISHED.in(
          HadoopStorage.show(marker),
          "is the marker of run %s, whose folder %s is gone (expected none: check that no job of"
              + " this run is alive and that %s contains nothing of value, and remove it, or remove"
              + " the marker if the dataset is whole)",
          found.get().run(),
          found.get().folder(),
          HadoopStorage.show(destination));
    }
    FileError.ALREADY_EXISTS.check(
        isFree(storage, destination),
        HadoopStorage.show(destination),
        "already exists (expected a new path, or --overwrite)");
  }

  /** Writes the marker, unless it is there already. */
  void begin(RunRecord run, Path folder) throws IOException {
    if (!isUnfinished(run.id())) {
      checkFree();
      storage.write(marker, new UnfinishedMarker(run.id(), folder.toString()).toJson());
    }
  }

  /** Returns whether a run has begun to move its dataset to the path. */
  boolean isBeingReplaced(RunRecord run) throws IOException {
    return !storage.hasFolders() && !run.isDirect() && isUnfinished(run.id());
  }

  /**
   * Writes the marker, after which the old dataset at the path is lost and the dataset of the run
   * must be moved there.
   *
   * @throws FormatException if the old dataset was changed; it then stays
   */
  void beginReplacement(RunRecord run, Path folder, Set<String> old) throws IOException {
    storage.write(marker, new UnfinishedMarker(run.id(), folder.toString()).toJson());
    try {
      Set<String> found = new HashSet<>(old);
      found.add(UnfinishedMarker.NAME);
      ReplaceableDataset.checkUnchanged(destination, found, storage);
    } catch (FormatException e) {
      storage.delete(marker);
      throw e;
    }
  }

  /**
   * Publishes the dataset of a dead run that was being moved to the path beside its folder.
   *
   * @param folder the folder of the run
   */
  static void completeReplacement(RunStorage storage, RunRecord run, Path folder)
      throws IOException {
    Path recorded = new Path(run.destination()); // perhaps by another name of the storage
    if (!recorded.isRoot()) {
      Path destination = PathArgument.child(folder.getParent(), recorded.getName());
      DirectOutput output = new DirectOutput(storage, destination);
      if (output.isBeingReplaced(run)) {
        output.replace(folder);
      }
    }
  }

  /**
   * Moves the complete dataset of a run to the path, and publishes it. May be repeated after an
   * interruption: a file that is not in the folder of the dataset any more is at the path.
   *
   * @param folder the folder of the run
   */
  void replace(Path folder) throws IOException {
    Path written = RunPaths.data(folder);
    Set<String> moved = storage.kind(written) == EntryKind.ABSENT ? Set.of() : names(written);
    Set<String> files = new TreeSet<>(CompleteMark.read(folder, storage).files().keySet());
    for (String name : names(destination)) {
      boolean isThere = files.contains(name) && !moved.contains(name);
      if (!isThere && !name.equals(UnfinishedMarker.NAME)) {
        storage.delete(PathArgument.child(destination, name));
      }
    }
    for (String name : moved) {
      storage.rename(PathArgument.child(written, name), PathArgument.child(destination, name));
    }
    files.removeAll(names(destination));
    FileError.DAMAGED.check(
        files.isEmpty(),
        HadoopStorage.show(destination),
        "lacks %s, which was removed before it was published (expected the files of %s)",
        files,
        HadoopStorage.show(CompleteMark.path(folder)));
    storage.delete(written);
    publish();
  }

  private Set<String> names(Path folder) throws IOException {
    return storage.list(folder).stream().map(Entry::name).collect(Collectors.toSet());
  }

  /** Publishes the dataset: deletes the marker. */
  void publish() throws IOException {
    storage.delete(marker);
  }

  /**
   * Removes what a run has written: files, uploads that were not completed, and at last the marker.
   * Does nothing if the marker is not that of the run.
   *
   * @return what was removed; empty if the marker is not that of the run
   */
  Optional<Remains> remove(String run) throws IOException {
    if (!isUnfinished(run)) {
      return Optional.empty();
    }
    Remains removed = removeFiles();
    storage.delete(marker);
    storage.deleteEmpty(destination);
    return Optional.of(removed);
  }

  /** Removes what the run of the marker has written, without the marker. */
  Remains removeFiles() throws IOException {
    int uploads = storage.abortUploads(destination);
    long files = 0;
    for (Entry entry : storage.list(destination)) {
      Path path = PathArgument.child(destination, entry.name());
      if (!path.equals(marker)) {
        files += entry.kind() == EntryKind.FOLDER ? count(path) : 1;
        storage.delete(path);
      }
    }
    return new Remains(files, uploads);
  }

  private long count(Path folder) throws IOException {
    long files = 0;
    List<Entry> entries;
    try {
      entries = storage.list(folder);
    } catch (FileNotFoundException e) {
      return 0; // a folder of an object store ends with its last file
    }
    for (Entry entry : entries) {
      boolean isFolder = entry.kind() == EntryKind.FOLDER;
      files += isFolder ? count(PathArgument.child(folder, entry.name())) : 1;
    }
    return files;
  }
}
