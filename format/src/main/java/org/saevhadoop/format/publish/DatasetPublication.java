package org.saevhadoop.format.publish;

import java.io.IOException;
import java.util.Set;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.DirectOutput;
import org.saevhadoop.format.publish.run.Replacement;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.spi.FormatRegistry;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;

/**
 * Moves a complete dataset to the path at which it is published. On a local disk, each step is
 * forced to the disk before the next one, so that after a power failure the path contains the old
 * dataset or the new one. The old dataset is in the run's folder only between the two renames of a
 * replacement; the next run puts it back. A dataset that was written at its path, or whose files
 * are moved there one by one, is published by removing its marker.
 *
 * @param folder the run's folder, which has the {@link CompleteMark}, and to which a replaced
 *     dataset is moved
 * @param written the folder in which the dataset was written
 * @param destination the path at which the dataset is published
 * @param replace whether an existing dataset at that path may be replaced
 * @param storage the storage of these three paths
 * @param formats all formats, used to recognize a dataset that is to be replaced
 */
public record DatasetPublication(
    StoragePath folder,
    StoragePath written,
    StoragePath destination,
    boolean replace,
    RunStorage storage,
    FormatRegistry formats) {
  /**
   * Publishes the dataset. This method may be called again after an interruption: if the dataset is
   * no longer in its folder, it is at the path.
   *
   * @throws FormatException if the path contains something that must not be replaced
   */
  public void run() throws IOException {
    if (written.equals(destination)) {
      CompleteMark.check(folder, destination, formats, storage);
      synchronized (RunFolder.class) {
        DirectOutput.publish(storage, destination);
      }
      return;
    }
    // a run that a signal ends removes its folder only before or after publication
    synchronized (RunFolder.class) {
      Replacement replacement = new Replacement(storage, folder, written, destination);
      replacement.undoByFiles(); // of an earlier attempt
      if (storage.kind(written) == EntryKind.ABSENT) {
        checkPublished();
      } else {
        CompleteMark.check(folder, written, formats, storage);
        storage.force(written);
        move(replacement);
      }
      storage.force(destination.folderAbove());
      storage.force(folder);
      storage.delete(RunPaths.replaced(folder));
    }
  }

  private void checkPublished() throws IOException {
    FileError.NOT_FOUND.check(
        storage.kind(destination) != EntryKind.ABSENT,
        destination.shown(),
        "was removed while it was being published (expected a dataset)");
    CompleteMark.check(folder, destination, formats, storage);
  }

  private void move(Replacement replacement) throws IOException {
    boolean isFree = storage.kind(destination) == EntryKind.ABSENT;
    Set<String> old = Set.of();
    if (!isFree) {
      checkFree(destination, replace, storage);
      old = ReplaceableDataset.check(destination, formats, storage);
    }
    if (!storage.hasFolders()) {
      replacement.runByFiles(old);
    } else if (isFree) {
      storage.rename(written, destination);
    } else {
      storage.force(folder);
      storage.force(destination.folderAbove());
      replacement.run(old);
    }
  }

  /**
   * Checks that a path does not exist, unless it may be replaced. A broken symbolic link is treated
   * as existing.
   *
   * @throws FormatException if the path exists, or if that cannot be determined
   */
  public static void checkFree(StoragePath destination, boolean replace, RunStorage storage)
      throws IOException {
    checkFree(destination, replace, false, storage);
  }

  /**
   * Checks that a path does not exist, unless it may be replaced, for a run that may continue an
   * interrupted one.
   *
   * @param resumes whether the run continues an interrupted one, whose files the user then expects
   */
  public static void checkFree(
      StoragePath destination, boolean replace, boolean resumes, RunStorage storage)
      throws IOException {
    boolean free = storage.kind(destination) == EntryKind.ABSENT || replace;
    FileError.ALREADY_EXISTS.check(
        free || !resumes,
        destination.shown(),
        "already exists, and no interrupted run is left to continue: a dataset that a run has"
            + " published is complete (expected --overwrite, which writes it again)");
    FileError.ALREADY_EXISTS.check(
        free, destination.shown(), "already exists (expected a new path, or --overwrite)");
  }
}
