package org.saevhadoop.format.publish;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;

/**
 * Determines, before a dataset is written, whether it can be moved to its path. Only the storage
 * can determine its limits on names, mount points, sticky folders, encryption zones and the like,
 * so similar operations are tried in the folder of the run.
 *
 * @param folder the folder of the run
 * @param destination the path to which the dataset will be moved
 * @param storage the storage of the folder and the destination
 */
public record DestinationProbe(StoragePath folder, StoragePath destination, RunStorage storage) {
  /**
   * Checks the text of a path to which a dataset would be written.
   *
   * @throws FormatException if the path is the root of a file system, or if the path would look
   *     different when displayed on one line
   */
  public static void checkText(StoragePath path) throws FormatException {
    String text = path.shown();
    FileError.BAD_PATH.check(
        !path.isRoot(), text, "is the root of a file system (expected the path of a dataset)");
    FileError.BAD_PATH.check(
        Quote.show(text).equals(text),
        Quote.show(text),
        "contains control characters (expected a path that can be displayed on one line)");
  }

  /**
   * Checks that the local disk allows the names in a path. Nothing is created: looking up a name
   * that is too long fails in any folder.
   *
   * @throws FormatException if a name is not allowed
   */
  public static void checkNames(StoragePath destination, RunStorage storage) throws IOException {
    if (!destination.isLocal()) {
      return;
    }
    Deque<StoragePath> path = new ArrayDeque<>();
    for (StoragePath next = destination; !next.isRoot(); next = next.folderAbove()) {
      path.push(next);
    }
    StoragePath existing = destination.root();
    boolean isFile = false;
    for (StoragePath next : path) {
      if (isFile) { // below a file, JDK 17 reports an error but JDK 25 does not
        throw badName(next, "Not a directory");
      }
      try {
        EntryKind kind = storage.kind(existing.child(next.name()));
        if (kind != EntryKind.ABSENT && existing.equals(next.folderAbove())) {
          existing = next;
          isFile = kind == EntryKind.FILE;
        }
      } catch (FormatException e) {
        throw badName(next, e);
      }
    }
  }

  /** Checks that the storage allows the name, unless it exists already. */
  public void checkName() throws IOException {
    if (!storage.hasFolders() || storage.kind(destination) != EntryKind.ABSENT) {
      return;
    }
    StoragePath probe = folder.child(RunPaths.PROBE);
    StoragePath named = probe.child(destination.name());
    storage.createFolder(probe);
    try {
      storage.createFolder(named);
      storage.deleteEmpty(named);
    } catch (FormatException e) {
      throw badName(destination, e);
    } finally {
      storage.deleteEmpty(probe);
    }
  }

  /**
   * Checks that an existing entry at the path can be moved away. A rename to a nonempty folder
   * always fails, but only after all other checks by the storage; the entry is movable if its
   * rename fails for the same reason as the rename of a folder that is known to be movable. No data
   * can be lost, no matter when the process ends.
   */
  public void checkMove() throws IOException {
    if (!storage.hasFolders() || storage.kind(destination) == EntryKind.ABSENT) {
      return;
    }
    checkZone();
    StoragePath probe = folder.child(RunPaths.PROBE);
    StoragePath taken = probe.child("taken");
    StoragePath inside = taken.child("inside");
    StoragePath movable = probe.child("movable");
    storage.createFolder(probe);
    try {
      storage.createFolder(taken);
      storage.createFolder(inside);
      storage.createFolder(movable);
      IOException expected = refusal(movable, taken);
      IOException found = expected == null ? null : refusal(destination, taken);
      if (found != null && !isSame(found, expected)) {
        throw FileError.NOT_REPLACEABLE
            .in(
                destination.shown(),
                "cannot be moved away to be replaced: %s (expected a directory that can be renamed,"
                    + " or a new path)",
                reason(found))
            .causedBy(found);
      }
    } finally {
      for (StoragePath created : new StoragePath[] {inside, taken, movable, probe}) {
        storage.deleteEmpty(created); // only if it is empty
      }
    }
  }

  /** HDFS renames the root of an encryption zone, but a new dataset there is not encrypted. */
  private void checkZone() throws IOException {
    FileError.NOT_REPLACEABLE.check(
        storage.isEncrypted(destination) == storage.isEncrypted(folder),
        destination.shown(),
        "is the root of an encryption zone (expected a path below it, or a new path)");
  }

  /** Returns the error from a rename; if the rename succeeds, undoes it and returns null. */
  private @Nullable IOException refusal(StoragePath from, StoragePath to) throws IOException {
    try {
      storage.rename(from, to);
    } catch (IOException e) {
      return e instanceof FormatException && e.getCause() instanceof IOException cause ? cause : e;
    }
    storage.rename(to, from);
    return null;
  }

  /** Compares error messages from the operating system, which can be in any language. */
  private static boolean isSame(IOException a, @Nullable IOException b) {
    return b != null
        && a.getClass() == b.getClass()
        && (!(a instanceof FileSystemException) || reason(a).equals(reason(b)));
  }

  private static FormatException badName(StoragePath path, FormatException failure) {
    return failure.kind() == FileError.WRITE_FAILED && failure.getCause() instanceof IOException e
        ? badName(path, reason(e)).causedBy(e)
        : failure;
  }

  private static FormatException badName(StoragePath path, String reason) {
    return FileError.BAD_PATH.in(
        path.shown(), "cannot be created: %s (expected a path that the storage allows)", reason);
  }

  private static String reason(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    String text =
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage();
    return Quote.show(String.valueOf(text).lines().findFirst().orElse(""));
  }
}
