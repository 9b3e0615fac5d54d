package org.saevhadoop.mapreduce.publish;

import com.fasterxml.jackson.core.type.TypeReference;
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
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.UnfinishedMarker;
import org.saevhadoop.mapreduce.publish.RunStorage.Entry;
import org.saevhadoop.mapreduce.publish.RunStorage.EntryKind;

/**
 * A dataset at its path on a storage without folders, where a run writes it, or to which the run
 * moves its files one by one to replace an older dataset. Until it is complete, the path contains
 * an {@link UnfinishedMarker}, and whatever is beside the marker belongs to the run: the path was
 * absent or empty before, or its files are listed in the folder of the run.
 */
final class DirectOutput {
  private static final TypeReference<TreeSet<String>> NAMES = new TypeReference<>() {};

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
   * is absent, empty, or that of a dataset that another run has left unfinished, unless that run
   * was replacing an older one.
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
   * Publishes a complete dataset in place of an older one: moves the files of both one by one,
   * under the marker. If that fails, the older dataset is put back.
   *
   * @param folder the folder of the run
   * @param written the folder of the dataset
   * @param old the names of the files at the path
   * @throws FormatException if other files are at the path
   */
  void replace(RunRecord run, Path folder, Path written, Set<String> old) throws IOException {
    storage.write(oldNames(folder), Jackson.MAPPER.writeValueAsBytes(new TreeSet<>(old)));
    storage.write(marker, new UnfinishedMarker(run.id(), folder.toString()).toJson());
    try {
      Set<String> found = new HashSet<>(old);
      found.add(UnfinishedMarker.NAME);
      ReplaceableDataset.checkUnchanged(destination, found, storage);
      storage.createFolder(RunPaths.replaced(folder));
      move(old, destination, RunPaths.replaced(folder));
      move(names(written), written, destination);
    } catch (IOException e) {
      try {
        putBack(folder, written);
      } catch (IOException next) {
        e.addSuppressed(next);
      }
      throw e;
    }
    storage.delete(written);
    publish();
  }

  /**
   * Puts back the dataset that a dead run was replacing, at the path beside the folder of the run.
   *
   * @param folder the folder of the run
   */
  static void undoReplacement(RunStorage storage, RunRecord run, Path folder) throws IOException {
    Path recorded = new Path(run.destination()); // perhaps by another name of the storage
    if (!recorded.isRoot()) {
      Path destination = PathArgument.child(folder.getParent(), recorded.getName());
      DirectOutput output = new DirectOutput(storage, destination);
      if (output.isBeingReplaced(run)) {
        output.putBack(folder, new Path(run.written()));
      }
    }
  }

  /** Undoes a replacement, after any of its steps. May be repeated after an interruption. */
  void putBack(Path folder, Path written) throws IOException {
    Path replaced = RunPaths.replaced(folder);
    Set<String> old = Jackson.MAPPER.readValue(storage.read(oldNames(folder)), NAMES);
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
    storage.delete(marker);
    storage.delete(oldNames(folder));
    storage.deleteEmpty(destination);
  }

  /** Returns the path of the list of the files that are replaced. */
  private static Path oldNames(Path folder) {
    return RunPaths.replaced(folder).suffix(".json");
  }

  private void move(Set<String> names, Path from, Path to) throws IOException {
    for (String name : names) {
      storage.rename(PathArgument.child(from, name), PathArgument.child(to, name));
    }
  }

  private Set<String> names(Path folder) throws IOException {
    return storage.kind(folder) == EntryKind.ABSENT
        ? Set.of()
        : storage.list(folder).stream().map(Entry::name).collect(Collectors.toSet());
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
