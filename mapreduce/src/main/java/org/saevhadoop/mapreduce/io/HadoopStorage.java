package org.saevhadoop.mapreduce.io;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GetSpaceUsed;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.mapreduce.conf.TypedText;

/**
 * Access to files through Hadoop's file systems.
 *
 * @param conf the configuration of the file systems
 */
public record HadoopStorage(Configuration conf) implements Storage {
  private static final Pattern FIRST_SHARD =
      Pattern.compile("(.+)\\.shard0-of-[1-9]\\d*(\\.\\w+)", Pattern.DOTALL);

  @Override
  public Location locate(String path) throws IOException {
    return locate(PathArgument.parse(path, conf));
  }

  /**
   * Returns the location of a path. If no file has it, it may be the base name of shards, {@code
   * <path>.shard0-of-<count>.<suffix>}, or the name of the single file that they replace; the
   * location is then that of the first shard.
   *
   * @throws org.saevhadoop.format.io.FormatException if the path does not exist, or if a run is
   *     writing a dataset there in place
   */
  public Location locate(Path path) throws IOException {
    Location location = locateChecked(path);
    FileSystem fs = path.getFileSystem(conf);
    if (!HadoopFolder.hasFolders(fs)) { // no run writes in place where a rename is cheap
      UnfinishedMarker.refuse(
          fs, new Path(location.folder().path()), conf.get(UnfinishedMarker.READER));
    }
    return location;
  }

  /**
   * Returns the location of a path that the job's client has located before.
   *
   * @throws org.saevhadoop.format.io.FormatException if the path does not exist
   */
  public Location locateChecked(Path path) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    FileStatus status;
    try {
      status = fs.getFileStatus(qualified);
    } catch (FileNotFoundException e) {
      String shard = firstShard(fs, qualified);
      if (shard != null) {
        return Location.of(HadoopFolder.of(qualified.getParent(), conf), shard);
      }
      throw missing(show(qualified)).causedBy(e);
    }
    return status.isFile()
        ? Location.of(HadoopFolder.of(qualified.getParent(), conf), qualified.getName())
        : Location.of(HadoopFolder.of(qualified, conf));
  }

  private static FormatException missing(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    String plain = TypedText.plain(name);
    return name.indexOf('\\') >= 0
        ? FileError.NOT_FOUND.in(
            path, "no such file or directory (expected %s)", name.replace('\\', '/'))
        : plain.equals(name) || plain.isEmpty()
            ? FileError.NOT_FOUND.in(path, "no such file or directory")
            : FileError.NOT_FOUND.in(
                path,
                "no such file or directory; its name has %s (expected %s)",
                TypedText.unusual(name).orElse(""),
                plain);
  }

  /** Returns the name of the first shard whose base name is that of a path, or null. */
  private static @Nullable String firstShard(FileSystem fs, Path missing) throws IOException {
    Path parent = missing.getParent();
    if (parent == null || !fs.exists(parent)) {
      return null;
    }
    for (FileStatus file : fs.listStatus(parent)) {
      Matcher shard = FIRST_SHARD.matcher(file.getPath().getName());
      if (file.isFile() && shard.matches()) {
        String base = shard.group(1);
        if (missing.getName().equals(base) || missing.getName().equals(base + shard.group(2))) {
          return shard.group();
        }
      }
    }
    return null;
  }

  /** Returns a path for messages: a local path without its scheme, as a shell accepts it. */
  public static String show(Path path, Configuration conf) throws IOException {
    return show(path.getFileSystem(conf).makeQualified(path));
  }

  /**
   * Returns the space that a file or folder takes on disks: on HDFS that of all replicas of its
   * blocks, on a local disk that of the blocks which the command {@code du} counts, as Java does
   * not. Empty if it is unknown: on object stores, without {@code du}, and if it may not be asked.
   */
  public static OptionalLong bytesOnDisk(Path folder, Configuration conf) throws IOException {
    FileSystem fs = folder.getFileSystem(conf);
    if (HadoopFolder.isLocal(fs)) {
      File local = new File(fs.makeQualified(folder).toUri().getPath()).getCanonicalFile();
      GetSpaceUsed.Builder du = new GetSpaceUsed.Builder().setPath(local).setConf(conf);
      long bytes = du.setInterval(0).build().getUsed();
      return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
    }
    if (!HadoopFolder.hasFolders(fs)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(fs.getContentSummary(folder).getSpaceConsumed());
    } catch (AccessControlException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns a qualified path for messages: a local path without its scheme. */
  public static String show(Path qualified) {
    return qualified.toUri().getScheme().equals("file")
        ? qualified.toUri().getPath()
        : qualified.toString();
  }
}
