package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;

/** Finds files of arrays in a folder and, if a pattern names them, in the folders below it. */
public final class ArrayFiles {
  /**
   * A file.
   *
   * @param path the path relative to the folder of the dataset
   * @param bytes the length of the file in bytes
   * @param parts the values of the placeholders in its name
   */
  public record Found(
      Folder folder, String name, String path, long bytes, Map<NamePattern.Part, String> parts) {
    /** Returns this file; it is read through the given open file unless that is null. */
    public Found opened(@Nullable Input open) {
      return open == null
          ? this
          : new Found(new OpenedFolder(folder, name, open), name, path, bytes, parts);
    }
  }

  private final Location location;
  private final ArrayReader reader;
  private final @Nullable NamePattern pattern;
  private final List<Found> found = new ArrayList<>();

  /** Ending of the lock file that a process holds next to a file while it writes that file. */
  private static final String LOCK = ".lock";

  /** Names, without extension, of files that describe the activations next to them. */
  private static final Set<String> BESIDE = Set.of("mean", "std");

  private ArrayFiles(Location location, ArrayReader reader, @Nullable NamePattern pattern) {
    this.location = location;
    this.reader = reader;
    this.pattern = pattern;
  }

  /**
   * Returns the files of a dataset in an order that depends only on their paths.
   *
   * @throws org.saevhadoop.format.io.FormatException if there are no files, or if their names show
   *     that some are missing
   */
  public static List<Found> of(Location location, ArrayReader reader, @Nullable NamePattern pattern)
      throws IOException {
    ArrayFiles files = new ArrayFiles(location, reader, location.isFile() ? null : pattern);
    if (location.isFile()) {
      checkWritten(location.folder(), location.file(), Set.of(location.file() + LOCK));
      long bytes = location.files().getOrDefault(location.file(), 0L);
      files.found.add(
          new Found(location.folder(), location.file(), location.file(), bytes, Map.of()));
      return files.found;
    }
    long depth = pattern == null ? 0 : pattern.toString().chars().filter(c -> c == '/').count();
    files.search(location.folder(), "", depth);
    ArrayError.NO_MATCH.check(
        !files.found.isEmpty(),
        location.path(),
        "has no file %s",
        pattern == null ? "of arrays" : named(pattern.toString()));
    if (pattern == null) {
      FileSeries.check(location.path(), files.found.stream().map(Found::name).toList());
    }
    return files.found;
  }

  private static String named(String pattern) {
    return pattern.contains("*")
        ? pattern + " (expected {layer}, {shard}, {example} or {hook} in place of *)"
        : pattern;
  }

  /**
   * Returns whether a file or folder may contain data, judging by its name: hidden and unfinished
   * files do not.
   */
  public static boolean isData(String name) {
    return !name.startsWith(".") && !name.contains(".tmp");
  }

  /**
   * Returns the files that may contain activations.
   *
   * @param names the names of files of one kind in a folder
   */
  public static List<String> activations(Collection<String> names) {
    List<String> data = names.stream().filter(ArrayFiles::isData).toList();
    List<String> others =
        data.stream().filter(name -> !BESIDE.contains(name.split("\\.", 2)[0])).toList();
    return others.isEmpty() ? data : others;
  }

  /**
   * Checks that no process is writing a file.
   *
   * @param files the names of all files of the folder
   * @throws org.saevhadoop.format.io.FormatException if another process holds the lock file next to
   *     it
   */
  public static void checkWritten(Folder folder, String name, Set<String> files)
      throws IOException {
    String lock = name + LOCK;
    if (files.contains(lock) && folder.isLocked(lock)) {
      throw ArrayError.BEING_WRITTEN.in(
          folder.path(name),
          "is being written: a process holds a lock on %s (expected a complete file)",
          lock);
    }
  }

  private void search(Folder folder, String prefix, long depth) throws IOException {
    if (depth > 0) {
      for (String name : folder.folders()) {
        Optional<Folder> below = isData(name) ? folder.folder(name) : Optional.empty();
        if (below.isPresent()) {
          search(below.get(), prefix + name + "/", depth - 1);
        }
      }
      return;
    }
    Map<String, Long> files = folder == location.folder() ? location.files() : folder.files();
    NamePattern names = pattern;
    if (names == null) {
      for (String name : activations(reader.named(files.keySet()))) {
        add(folder, name, prefix + name, files, Map.of());
      }
      return;
    }
    List<String> matching =
        files.keySet().stream().filter(name -> names.match(prefix + name).isPresent()).toList();
    for (String name : activations(matching)) {
      add(folder, name, prefix + name, files, names.match(prefix + name).orElseThrow());
    }
  }

  private void add(
      Folder folder,
      String name,
      String path,
      Map<String, Long> files,
      Map<NamePattern.Part, String> parts)
      throws IOException {
    checkWritten(folder, name, files.keySet());
    found.add(new Found(folder, name, path, files.getOrDefault(name, 0L), parts));
  }

  /** Opens a file by its path, which is relative to a folder. */
  public static Input open(Folder folder, String path) throws IOException {
    Folder parent = folder;
    int begin = 0;
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', begin)) {
      String name = path.substring(begin, end);
      Folder above = parent;
      parent =
          above
              .folder(name)
              .orElseThrow(() -> FileError.NOT_FOUND.in(above.path(name), "does not exist"));
      begin = end + 1;
    }
    return parent.open(path.substring(begin));
  }
}
