package org.saevhadoop.mapreduce.publish;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.publish.storage.LocalRunStorage;

/**
 * Determines whether a path that is written contains a dataset that is read, or is in it: the
 * source of a conversion, or a dataset from which it takes labels, sample metadata or ids. Local
 * paths are compared by the files to which they lead, so links, {@code ..}, mounts and the case of
 * names on a disk that ignores it make no difference.
 */
public final class SourceOverlap {
  private SourceOverlap() {}

  /**
   * Checks that neither of source and destination contains the other.
   *
   * @param source the path of the dataset that is read
   * @param destination the path that is written, which need not exist
   * @throws FormatException if they overlap
   */
  public static void check(
      org.apache.hadoop.fs.Path source, org.apache.hadoop.fs.Path destination, Configuration conf)
      throws IOException {
    FileSystem from = source.getFileSystem(conf);
    FileSystem to = destination.getFileSystem(conf);
    boolean overlap;
    if (HadoopFolder.isLocal(from) && HadoopFolder.isLocal(to)) {
      overlap = overlaps(LocalRunStorage.local(source), LocalRunStorage.local(destination));
    } else {
      overlap =
          isSameStorage(from, to)
              && overlaps(from.makeQualified(source), to.makeQualified(destination));
    }
    FileError.OVERLAP.check(
        !overlap,
        HadoopStorage.show(to.makeQualified(destination)),
        "overlaps with %s, which is read (expected another path)",
        HadoopStorage.show(from.makeQualified(source)));
  }

  /** Compares storages by their service, as the same one may be named with and without a port. */
  private static boolean isSameStorage(FileSystem a, FileSystem b) {
    String service = a.getCanonicalServiceName();
    return service == null
        ? a.getUri().equals(b.getUri())
        : service.equals(b.getCanonicalServiceName());
  }

  private static boolean overlaps(org.apache.hadoop.fs.Path a, org.apache.hadoop.fs.Path b) {
    String first = slash(a);
    String second = slash(b);
    return first.startsWith(second) || second.startsWith(first);
  }

  private static String slash(org.apache.hadoop.fs.Path path) {
    String text = path.toUri().getPath();
    return text.endsWith("/") ? text : text + "/";
  }

  private static boolean overlaps(Path source, Path destination) throws IOException {
    Path read = source.toRealPath();
    boolean written = Files.exists(destination);
    Path existing = destination.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = Objects.requireNonNull(existing.getParent()); // the root exists
    }
    Path real = existing.toRealPath();
    boolean overlap = isIn(real, read);
    if (written) {
      for (Path file : reached(read)) {
        overlap |= isIn(file, real);
      }
    }
    return overlap;
  }

  /** Returns whether a real path is another one or is below it. */
  private static boolean isIn(Path inner, Path outer) throws IOException {
    for (Path path = inner; path != null; path = path.getParent()) {
      if (Files.isSameFile(path, outer)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a real path and, if it is a folder, those of the links in it, one level deep. */
  private static List<Path> reached(Path folder) throws IOException {
    List<Path> targets = new ArrayList<>(List.of(folder));
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) {
          if (Files.isSymbolicLink(entry) && Files.exists(entry)) {
            targets.add(entry.toRealPath());
          }
        }
      }
    }
    return targets;
  }
}
