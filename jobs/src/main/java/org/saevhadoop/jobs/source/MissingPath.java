package org.saevhadoop.jobs.source;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.conf.NearestWord;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/** What there is beside a path that does not exist, for error messages. */
final class MissingPath {
  private static final int MAX_LISTED = 10_000;
  private static final int MAX_EDITS = 2;

  private MissingPath() {}

  /**
   * Returns the error for a path that does not exist. Its message names the nearest folder above
   * that exists, and the most similar name in it.
   *
   * @param error the error that is returned if that is unknown too
   */
  static FormatException error(Path path, Configuration conf, FormatException error) {
    try {
      FileSystem fs = path.getFileSystem(conf);
      String name = path.getName();
      Path parent = path.getParent();
      FileStatus status = null;
      while (parent != null && (status = status(fs, parent)) == null) {
        name = parent.getName();
        parent = parent.getParent();
      }
      String there = status == null ? "" : there(fs, status, path, Quote.show(name));
      return there.isEmpty()
          ? error
          : FileError.NOT_FOUND
              .in(error.path(), "no such file or directory (expected a dataset; %s)", there)
              .causedBy(error);
    } catch (IOException e) {
      return error;
    }
  }

  private static @Nullable FileStatus status(FileSystem fs, Path path) throws IOException {
    try {
      return fs.getFileStatus(path);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Returns what there is; empty if that is only a folder without the name. */
  private static String there(FileSystem fs, FileStatus parent, Path missing, String name)
      throws IOException {
    String path = HadoopStorage.show(fs.makeQualified(parent.getPath()));
    if (!parent.isDirectory()) {
      return path + " is a file";
    }
    String similar = similar(fs, parent.getPath(), name);
    if (similar.isEmpty()) {
      boolean isObvious = Quote.show(missing.getName()).equals(name);
      return isObvious ? "" : "%s has no %s".formatted(path, name);
    }
    return "%s has no %s, but %s".formatted(path, name, similar);
  }

  /** Returns the most similar name in a folder; empty if none is similar. */
  private static String similar(FileSystem fs, Path folder, String name) throws IOException {
    String best = "";
    int fewest = Math.min(MAX_EDITS, (name.length() + 1) / 3) + 1;
    RemoteIterator<FileStatus> listed = fs.listStatusIterator(folder);
    for (int i = 0; i < MAX_LISTED && listed.hasNext(); i++) {
      String other = Quote.show(listed.next().getPath().getName());
      int edits = other.equalsIgnoreCase(name) ? 0 : NearestWord.edits(name, other);
      if (edits < fewest) {
        best = other;
        fewest = edits;
      }
    }
    return best;
  }
}
