package org.saevhadoop.converters.convert;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.converters.console.PathDisplay;
import org.saevhadoop.converters.digest.BlockDigests;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.output.DatasetCommitter;

/**
 * The path at which a dataset is published, and the folder beside it in which the dataset is
 * written, so that a single rename publishes it.
 *
 * @param unfinished the folder in which the job writes
 * @param published the path at which the dataset is published
 * @param replace whether an existing dataset there may be replaced
 * @param newFolder the topmost parent folder that must be created; null if all exist
 */
record DatasetDestination(Path unfinished, Path published, boolean replace, Path newFolder) {
  private static final int STAGING_NAME_BYTES = 8;

  /**
   * Returns the destination of a conversion, after cleaning up the remains of an earlier run that
   * was killed.
   *
   * @throws FormatException if something exists at the path that must not be replaced
   */
  static DatasetDestination prepare(
      Path source, Path published, boolean overwrite, Configuration conf) throws IOException {
    FileSystem fs = published.getFileSystem(conf);
    checkApart(source, published, conf);
    Path replaced = DatasetCommitter.replacedPath(published);
    if (fs.exists(replaced)) {
      if (fs.exists(published)) {
        fs.delete(replaced, true);
      } else {
        // the earlier run was killed between the two renames of a replacement: only the old dataset
        // exists
        fs.rename(replaced, published);
      }
    }
    checkFree(published, overwrite, conf);
    if (fs.exists(published)) {
      checkReplaceable(fs, published, conf);
    }
    Path unfinished = new Path(published.getParent(), "_" + published.getName() + ".unfinished");
    fs.delete(unfinished, true);
    Path newFolder = null;
    for (Path above = published.getParent();
        above != null && !fs.exists(above);
        above = above.getParent()) {
      newFolder = above;
    }
    return new DatasetDestination(unfinished, published, overwrite, newFolder);
  }

  /**
   * Checks that nothing exists at a path, unless it may be overwritten.
   *
   * @throws FormatException if something exists there that must not be replaced
   */
  static void checkFree(Path published, boolean overwrite, Configuration conf) throws IOException {
    if (!overwrite && published.getFileSystem(conf).exists(published)) {
      throw FileError.ALREADY_EXISTS.in(
          PathDisplay.show(published, conf),
          "already exists (expected a new path, or --overwrite)");
    }
  }

  /**
   * Returns the folder in which a source is staged whose dataset is written to {@code place}. Its
   * parent folder exists. The name depends on source and place, so that the same conversion finds
   * and removes what a killed run left behind.
   */
  static Path staging(Path source, Path place, Configuration conf) throws IOException {
    Path from = source.getFileSystem(conf).makeQualified(source);
    String both = from + "\n" + place;
    byte[] digest = BlockDigests.sha256(ByteBuffer.wrap(both.getBytes(StandardCharsets.UTF_8)));
    String name = HexFormat.of().formatHex(digest, 0, STAGING_NAME_BYTES);
    FileSystem fs = place.getFileSystem(conf);
    Path above = place.getParent();
    while (above != null && !above.isRoot() && !fs.exists(above)) {
      above = above.getParent();
    }
    return new Path(above == null ? place : above, "_" + place.getName() + "." + name + ".staged");
  }

  /**
   * Returns the path of a dataset in a subfolder of the path that the user named. Leading
   * components of the subfolder are not repeated if that path already ends with them.
   */
  static Path below(Path place, String directory) {
    if (directory.isEmpty()) {
      return place;
    }
    Path relative = new Path(directory);
    String above = relative.getParent() == null ? "" : relative.getParent().toString();
    return !above.isEmpty() && place.toString().endsWith("/" + above)
        ? new Path(place, relative.getName())
        : new Path(place, relative);
  }

  /**
   * Checks that neither of source and destination contains the other.
   *
   * @throws FormatException if they overlap
   */
  static void checkApart(Path source, Path published, Configuration conf) throws IOException {
    String src = source.getFileSystem(conf).makeQualified(source) + "/";
    String dst = published + "/";
    if (src.startsWith(dst) || dst.startsWith(src)) {
      throw FileError.OVERLAP.in(
          PathDisplay.show(published, conf),
          "overlaps with the source %s (expected another place)",
          PathDisplay.show(source, conf));
    }
  }

  /**
   * Checks that the files that --overwrite would remove are a dataset, and not a folder with other
   * files or subfolders.
   *
   * @throws FormatException if they are not a dataset
   */
  private static void checkReplaceable(FileSystem fs, Path published, Configuration conf)
      throws IOException {
    FileError.NOT_REPLACEABLE.check(
        fs.getFileStatus(published).isDirectory(),
        PathDisplay.show(published, conf),
        "is a file (expected a dataset to replace)");
    FileStatus[] entries = fs.listStatus(published);
    if (entries.length > 0) {
      DatasetFormats.detect(new HadoopStorage(conf).locate(published));
    }
    for (FileStatus entry : entries) {
      if (entry.isDirectory() && !entry.getPath().getName().startsWith("_")) {
        throw FileError.NOT_REPLACEABLE.in(
            PathDisplay.show(entry.getPath(), conf),
            "is a folder in the dataset to be replaced (expected only files)");
      }
    }
  }

  /** Restores the state before the conversion, after a failure. */
  void discard(Configuration conf) throws IOException {
    FileSystem fs = unfinished.getFileSystem(conf);
    fs.delete(unfinished, true);
    Path folder = newFolder == null ? null : unfinished.getParent();
    while (folder != null && fs.exists(folder) && fs.listStatus(folder).length == 0) {
      fs.delete(folder, false);
      folder = folder.equals(newFolder) ? null : folder.getParent();
    }
  }
}
