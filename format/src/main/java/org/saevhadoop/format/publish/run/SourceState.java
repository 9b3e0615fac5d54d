package org.saevhadoop.format.publish.run;

import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.StoragePath.FileVisitor;

/**
 * The state of the datasets that a run reads: a hash of the paths, lengths and modification times
 * of all their files. Each folder is listed once, and no file is read. A folder that cannot be
 * listed contributes no files.
 */
public final class SourceState {
  /**
   * Maximum folder depth: no format nests deeper, and without a limit, links could make a tree
   * endless.
   */
  private static final int MAX_DEPTH = 4;

  private static final String DOCUMENT = "json";

  /** Extensions of log files, which may belong to this run; no format reads such files. */
  private static final Set<String> LOGS = Set.of("log", "out", "err", "txt");

  /** The files in folders from which several files are read, by folder and then by name. */
  private final Map<StoragePath, NavigableMap<String, StoredFile>> folders = new HashMap<>();

  /** The sums of the hashes of file states in a folder, by folder, name prefix and extension. */
  private final Map<List<Object>, BigInteger> sums = new HashMap<>();

  private SourceState() {}

  /** A file in a folder, with its modification time in milliseconds. */
  private record StoredFile(String path, long length, long modified) {}

  /**
   * Returns the state of datasets.
   *
   * @param paths a folder or a file for each dataset. Logs in a folder are ignored. A file includes
   *     all files of its folder that have the same name up to the first dot and the same extension
   *     or the JSON extension, because a dataset may consist of several files and have documents
   */
  public static String of(List<StoragePath> paths) throws IOException {
    return RunPaths.hash(String.join("", ofEach(paths)));
  }

  /** Returns the state of each of several datasets, in the form that {@link #of} combines. */
  public static List<String> ofEach(List<StoragePath> paths) throws IOException {
    SourceState state = new SourceState();
    List<String> states = new ArrayList<>();
    for (StoragePath path : paths) {
      states.add(path.qualified() + ' ' + state.sum(path) + '\n');
    }
    return states;
  }

  /** Returns the paths of all files in the given datasets. */
  public static Set<String> files(List<StoragePath> paths) throws IOException {
    Set<String> files = new HashSet<>();
    SourceState state = new SourceState();
    for (StoragePath path : paths) {
      state.visit(path, (file, length, modified) -> files.add(file.toString()));
    }
    return files;
  }

  /** Returns the sum of the hashes of the files, which does not depend on the order of listing. */
  private BigInteger sum(StoragePath path) throws IOException {
    if (path.kind() == StoragePath.Kind.FOLDER) {
      return newSum(path);
    }
    List<Object> files = List.of(path.folderAbove(), prefix(path.name()), extension(path.name()));
    BigInteger known = sums.get(files);
    if (known == null) {
      known = newSum(path);
      sums.put(files, known);
    }
    return known;
  }

  private BigInteger newSum(StoragePath path) throws IOException {
    BigInteger[] sum = {BigInteger.ZERO};
    MessageDigest digest = Sha256.digest();
    visit(
        path,
        (file, length, modified) -> {
          String line = file + " " + length + " " + modified;
          sum[0] = sum[0].add(new BigInteger(1, RunPaths.hashBytes(line, digest)));
        });
    return sum[0];
  }

  private void visit(StoragePath path, FileVisitor visitor) throws IOException {
    if (path.kind() == StoragePath.Kind.FOLDER) {
      path.visitFiles(
          MAX_DEPTH,
          (file, length, modified) -> {
            if (!LOGS.contains(extension(file.toString()))) {
              visitor.visit(file, length, modified);
            }
          });
      return;
    }
    String name = path.name();
    String prefix = prefix(name);
    String extension = extension(name);
    for (StoredFile file : listed(path.folderAbove()).tailMap(prefix).values()) {
      if (!name(file.path).startsWith(prefix)) {
        return;
      }
      String other = extension(file.path);
      if (other.equals(extension) || other.equals(DOCUMENT)) {
        visitor.visit(file.path, file.length, file.modified);
      }
    }
  }

  private NavigableMap<String, StoredFile> listed(StoragePath folder) throws IOException {
    NavigableMap<String, StoredFile> files = folders.get(folder);
    if (files == null) {
      NavigableMap<String, StoredFile> found = new TreeMap<>();
      folder.visitFiles(
          1,
          (file, length, modified) ->
              found.put(name(file.toString()), new StoredFile(file.toString(), length, modified)));
      folders.put(folder, found);
      files = found;
    }
    return files;
  }

  /** Returns the part of a name that all files of a dataset share. */
  private static String prefix(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String extension(String path) {
    String name = name(path);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
