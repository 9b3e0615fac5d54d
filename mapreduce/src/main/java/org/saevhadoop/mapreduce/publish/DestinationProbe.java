package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.publish.run.RunPaths;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * Determines, before a dataset is written, whether it can be moved to its path. Only the storage
 * knows its limits of names, mount points, sticky folders, encryption zones and the like, so it is
 * asked for similar operations in the folder of the run.
 *
 * @param folder the folder of the run
 * @param destination the path to which the dataset will be moved
 */
public record DestinationProbe(Path folder, Path destination) {
  /**
   * Checks that the local disk can have the names in a path. Nothing is created: a name that is too
   * long cannot be looked up either, in whatever folder.
   *
   * @throws FormatException if a name is not possible
   */
  public static void checkNames(Path destination, Configuration conf) throws IOException {
    if (!HadoopFolder.isLocal(destination.getFileSystem(conf))) {
      return;
    }
    RunStorage storage = RunStorage.of(destination, conf);
    Deque<Path> path = new ArrayDeque<>();
    for (Path next = destination; !next.isRoot(); next = next.getParent()) {
      path.push(next);
    }
    Path existing = PathArgument.root(destination);
    boolean isFile = false;
    for (Path next : path) {
      if (isFile) { // below which JDK 17 reports an error, and JDK 25 nothing
        throw badName(next, "Not a directory");
      }
      try {
        EntryKind kind = storage.kind(PathArgument.child(existing, next.getName()));
        if (kind != EntryKind.ABSENT && existing.equals(next.getParent())) {
          existing = next;
          isFile = kind == EntryKind.FILE;
        }
      } catch (FormatException e) {
        throw badName(next, e);
      }
    }
  }

  /** Checks that the storage allows the name, unless something has it already. */
  public void checkName(Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(destination, conf);
    if (!storage.hasFolders() || storage.kind(destination) != EntryKind.ABSENT) {
      return;
    }
    Path probe = PathArgument.child(folder, RunPaths.PROBE);
    Path named = PathArgument.child(probe, destination.getName());
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
   * Checks that what is at the path can be moved away. A rename to a folder that is not empty must
   * fail, and does so only after everything else was found to be allowed: so the reason must be the
   * same as for a folder that certainly can be moved. Nothing can be lost, whenever the process
   * ends.
   */
  public void checkMove(Configuration conf) throws IOException {
    RunStorage storage = RunStorage.of(destination, conf);
    if (!storage.hasFolders() || storage.kind(destination) == EntryKind.ABSENT) {
      return;
    }
    checkZone(conf);
    Path probe = PathArgument.child(folder, RunPaths.PROBE);
    Path taken = PathArgument.child(probe, "taken");
    Path inside = PathArgument.child(taken, "inside");
    Path movable = PathArgument.child(probe, "movable");
    storage.createFolder(probe);
    try {
      storage.createFolder(taken);
      storage.createFolder(inside);
      storage.createFolder(movable);
      IOException expected = refusal(storage, movable, taken);
      IOException found = expected == null ? null : refusal(storage, destination, taken);
      if (found != null && !isSame(found, expected)) {
        throw FileError.NOT_REPLACEABLE
            .in(
                HadoopStorage.show(destination),
                "cannot be moved away to be replaced: %s (expected a directory that can be renamed,"
                    + " or a new path)",
                reason(found))
            .causedBy(found);
      }
    } finally {
      for (Path created : new Path[] {inside, taken, movable, probe}) {
        storage.deleteEmpty(created); // never what is in them
      }
    }
  }

  /** HDFS renames the root of an encryption zone, in whose place the dataset is not encrypted. */
  private void checkZone(Configuration conf) throws IOException {
    FileSystem fs = destination.getFileSystem(conf);
    FileError.NOT_REPLACEABLE.check(
        HadoopFolder.isLocal(fs)
            || fs.getFileStatus(destination).isEncrypted()
                == fs.getFileStatus(folder).isEncrypted(),
        HadoopStorage.show(destination),
        "is the root of an encryption zone (expected a path below it, or a new path)");
  }

  /** Returns the refusal of a rename; null if the storage did not refuse it, and it was undone. */
  private static @Nullable IOException refusal(RunStorage storage, Path from, Path to)
      throws IOException {
    try {
      storage.rename(from, to);
    } catch (IOException e) {
      return e instanceof FormatException && e.getCause() instanceof IOException cause ? cause : e;
    }
    storage.rename(to, from);
    return null;
  }

  /** Compares the phrases of the system, whatever their language. */
  private static boolean isSame(IOException a, @Nullable IOException b) {
    return b != null
        && a.getClass() == b.getClass()
        && (!(a instanceof FileSystemException) || reason(a).equals(reason(b)));
  }

  private static FormatException badName(Path path, FormatException failure) {
    return failure.kind() == FileError.WRITE_FAILED && failure.getCause() instanceof IOException e
        ? badName(path, reason(e)).causedBy(e)
        : failure;
  }

  private static FormatException badName(Path path, String reason) {
    return FileError.BAD_PATH.in(
        HadoopStorage.show(path),
        "cannot be created: %s (expected a path that the storage allows)",
        reason);
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
