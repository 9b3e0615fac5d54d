package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.TypedText;

/**
 * The absolute path of something that is read. A local path is read with Java alone, without a
 * class of Hadoop: its file systems take longer to start than most commands.
 */
public sealed interface SourcePath permits LocalPath, HadoopPath {
  /** What is at a path. */
  enum Kind {
    MISSING,
    FILE,
    FOLDER
  }

  Pattern FIRST_SHARD = Pattern.compile("(.+)\\.shard0-of-[1-9]\\d*(\\.\\w+)", Pattern.DOTALL);

  /**
   * Returns the local path that a text means if nothing but Hadoop's defaults is configured; null
   * if it means another file system.
   *
   * @throws FormatException if the text cannot be a path
   */
  static @Nullable SourcePath local(String text) throws IOException {
    return PathArgument.local(text, true).map(LocalPath::new).orElse(null);
  }

  /** Returns a path of a file system of Hadoop. */
  static SourcePath of(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path qualified = fs.makeQualified(path);
    return HadoopFolder.isLocal(fs)
        ? new LocalPath(java.nio.file.Path.of(qualified.toUri().getPath()))
        : new HadoopPath(qualified, fs, conf);
  }

  /** Returns whether it is a path on the local disk. */
  boolean isLocal();

  /** Returns the path for messages: a local path without its scheme, as a shell accepts it. */
  String shown();

  /** Returns the qualified path. */
  Path hadoop();

  /** Returns the text of the qualified path. */
  String qualified();

  /** Returns the last component; empty for a root. */
  String name();

  /** Returns the path above; null for a root. */
  @Nullable SourcePath parent();

  /** Returns the path of an entry of the folder at this path. */
  SourcePath child(String name);

  Kind kind() throws IOException;

  /** Returns names of entries of the folder at this path, some of them if there are more. */
  List<String> names(int limit) throws IOException;

  /** Returns the folder at this path. */
  Folder folder() throws IOException;

  /**
   * Returns the space that a file or folder takes on disks: on HDFS that of all replicas of its
   * blocks, on a local disk that of the blocks which the command {@code du} counts, as Java does
   * not. Empty if it is unknown: on object stores, without {@code du}, and if it may not be asked.
   */
  OptionalLong bytesOnDisk() throws IOException;

  /**
   * Checks that no run writes a dataset in place in a folder.
   *
   * @throws FormatException if one does
   */
  void refuseUnfinished(Location location) throws IOException;

  /**
   * Returns the location of the path. If no file has it, it may be the base name of shards, {@code
   * <path>.shard0-of-<count>.<suffix>}, or the name of the single file that they replace; the
   * location is then that of the first shard.
   *
   * @throws FormatException if the path does not exist, or if a run is writing a dataset there in
   *     place
   */
  default Location locate() throws IOException {
    Location location = locateChecked();
    refuseUnfinished(location);
    return location;
  }

  /**
   * Returns the location of a path that the job's client has located before.
   *
   * @throws FormatException if the path does not exist
   */
  default Location locateChecked() throws IOException {
    Kind kind = kind();
    if (kind == Kind.FOLDER) {
      return Location.of(folder());
    }
    SourcePath parent = parent();
    if (parent != null && kind == Kind.FILE) {
      return Location.of(parent.folder(), name());
    }
    String shard = parent == null ? null : firstShard(parent, name());
    if (parent == null || shard == null) {
      throw missing(shown());
    }
    return Location.of(parent.folder(), shard);
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

  /** Returns the name of the first shard in a folder whose base name is a name, or null. */
  private static @Nullable String firstShard(SourcePath parent, String missing) throws IOException {
    if (parent.kind() != Kind.FOLDER) {
      return null;
    }
    for (String file : parent.names(Integer.MAX_VALUE)) {
      Matcher shard = FIRST_SHARD.matcher(file);
      if (shard.matches() && parent.child(file).kind() == Kind.FILE) {
        String base = shard.group(1);
        if (missing.equals(base) || missing.equals(base + shard.group(2))) {
          return file;
        }
      }
    }
    return null;
  }
}
