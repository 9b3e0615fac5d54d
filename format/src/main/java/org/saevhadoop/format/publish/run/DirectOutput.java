package org.saevhadoop.format.publish.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.Entry;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.UnfinishedMarker;

/**
 * A dataset that is written directly to its final path, on a storage system without folders. Until
 * it is complete, the path contains an {@link UnfinishedMarker}, and everything next to the marker
 * belongs to the run: the path was absent or empty before.
 *
 * @param files the folder of the run
 * @param run the id of the run
 */
public record DirectOutput(RunFiles files, StoragePath dataset, String run) implements RunOutput {
  /**
   * Returns whether a dataset can be written at its path: the storage has no folders, and the path
   * is absent, empty, or contains a dataset that another run has left unfinished, unless that run
   * was replacing an older one.
   */
  public static boolean isPossible(StoragePath destination, RunStorage storage) throws IOException {
    if (storage.hasFolders()) {
      return false;
    }
    if (isFree(storage, destination)) {
      return true;
    }
    Optional<UnfinishedMarker> marker = marker(storage, destination);
    Optional<RunRecord> other = new RunFiles(storage, RunPaths.of(destination)).record();
    return marker.isPresent()
        && (other.isEmpty()
            || other.get().isDirect()
            || !other.get().id().equals(marker.get().run()));
  }

  /** Returns whether a path contains the unfinished dataset of a run. */
  public static boolean isUnfinished(StoragePath destination, RunStorage storage)
      throws IOException {
    return !storage.hasFolders() && marker(storage, destination).isPresent();
  }

  /** Publishes the dataset at a path by deleting the marker. */
  public static void publish(RunStorage storage, StoragePath destination) throws IOException {
    storage.delete(destination.child(UnfinishedMarker.NAME));
  }

  /** Returns whether a path is absent or an empty folder. */
  private static boolean isFree(RunStorage storage, StoragePath path) throws IOException {
    return switch (storage.kind(path)) {
      case ABSENT -> true;
      case FOLDER -> storage.list(path).isEmpty();
      default -> false;
    };
  }

  private static Optional<UnfinishedMarker> marker(RunStorage storage, StoragePath destination)
      throws IOException {
    try {
      return Optional.of(
          UnfinishedMarker.parse(
              storage.read(destination.child(UnfinishedMarker.NAME), UnfinishedMarker.MAX_BYTES)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private RunStorage storage() {
    return files.storage();
  }

  private StoragePath marker() {
    return dataset.child(UnfinishedMarker.NAME);
  }

  /** Returns whether the path contains the marker of this run. */
  boolean isUnfinished() throws IOException {
    return marker(storage(), dataset).filter(found -> found.run().equals(run)).isPresent();
  }

  @Override
  public boolean hasMoved() throws IOException {
    return !isUnfinished();
  }

  /** The files of a job are committed together, so an incomplete dataset is of no use. */
  @Override
  public boolean isOfUse() throws IOException {
    return files.isComplete() && (isUnfinished() || storage().kind(dataset) == EntryKind.ABSENT);
  }

  /** {@inheritDoc} The message names the marker of a run whose folder no longer exists. */
  @Override
  public void checkFree() throws IOException {
    Optional<UnfinishedMarker> found = marker(storage(), dataset);
    if (found.isPresent()) {
      if (found.get().run().equals(run)) {
        return;
      }
      throw FileError.UNFINISHED.in(
          marker().shown(),
          "is the marker of run %s, whose folder %s is gone (expected none: check that no job of"
              + " this run is alive and that %s contains nothing of value, and remove it, or remove"
              + " the marker if the dataset is whole)",
          found.get().run(),
          found.get().folder(),
          dataset.shown());
    }
    FileError.ALREADY_EXISTS.check(
        isFree(storage(), dataset),
        dataset.shown(),
        "already exists (expected a new path, or --overwrite)");
  }

  @Override
  public void begin() throws IOException {
    if (!isUnfinished()) {
      checkFree();
      mark();
    }
  }

  void mark() throws IOException {
    storage().write(marker(), new UnfinishedMarker(run, files.folder().toString()).toJson());
  }

  @Override
  public void clear() throws IOException {
    if (isUnfinished()) {
      removeFiles();
    }
  }

  @Override
  public Optional<Remains> remove() throws IOException {
    if (!isUnfinished()) {
      return Optional.empty();
    }
    Remains removed = removeFiles();
    storage().delete(marker());
    storage().deleteEmpty(dataset);
    return Optional.of(removed);
  }

  private Remains removeFiles() throws IOException {
    int uploads = storage().abortUploads(dataset);
    long removed = 0;
    for (Entry entry : storage().list(dataset)) {
      StoragePath path = dataset.child(entry.name());
      if (!path.equals(marker())) {
        removed += count(path, entry);
        storage().delete(path);
      }
    }
    return new Remains(removed, uploads);
  }

  private long count(StoragePath path, Entry entry) throws IOException {
    if (entry.kind() != EntryKind.FOLDER) {
      return 1;
    }
    long count = 0;
    try {
      for (Entry inner : storage().list(path)) {
        count += count(path.child(inner.name()), inner);
      }
    } catch (FileNotFoundException e) {
      // a folder of an object store ends with its last file
    }
    return count;
  }
}
