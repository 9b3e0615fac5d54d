package org.saevhadoop.format.storage;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.settings.TypedText;

/**
 * The absolute path of a file or folder of a storage: the local disk, which is read and written
 * with Java alone, or a file system of Hadoop, whose classes take longer to start than most
 * commands. Two paths are equal if their texts are.
 */
public interface StoragePath {
  /** Kinds of entries at a path. */
  enum Kind {
    MISSING,
    FILE,
    FOLDER
  }

  Pattern FIRST_SHARD = Pattern.compile("(.+)\\.shard0-of-[1-9]\\d*(\\.\\w+)", Pattern.DOTALL);

  /** Returns whether it is a path on the local disk. */
  boolean isLocal();

  /** Returns the path for messages: a local path without its scheme, as a shell accepts it. */
  String shown();

  /** Returns the text of the qualified path. */
  String qualified();

  /** Returns the path on the same storage whose qualified text is known. */
  StoragePath parse(String qualified);

  /** Returns the last component; empty for a root. */
  String name();

  /** Returns the path above; null for a root. */
  @Nullable StoragePath parent();

  /** Returns whether this is the root of a storage. */
  default boolean isRoot() {
    return parent() == null;
  }

  /**
   * Returns the path above.
   *
   * @throws NullPointerException if this is a root
   */
  default StoragePath folderAbove() {
    return Objects.requireNonNull(parent());
  }

  /** Returns the root of the storage. */
  default StoragePath root() {
    StoragePath above = parent();
    return above == null ? this : above.root();
  }

  /** Returns the path of an entry of the folder at this path. Its name may contain a colon. */
  StoragePath child(String name);

  /** Returns the path of an entry of the same folder whose name is longer. */
  default StoragePath suffix(String end) {
    return folderAbove().child(name() + end);
  }

  /** Returns whether another path is this one or below it, by their texts alone. */
  boolean contains(StoragePath other);

  Kind kind() throws IOException;

  /** Returns names of entries of the folder at this path, at most a given number. */
  List<String> names(int limit) throws IOException;

  /** Returns the folder at this path. */
  default Folder folder() throws IOException {
    return folder(false, false);
  }

  /**
   * Returns the folder at this path, for writing.
   *
   * @param forced whether the content of files is forced to the disk: of a local folder until
   *     {@link Folder#awaitForced} returns, elsewhere when they are closed
   * @param compared whether closing a file compares its bytes with the checksum that the storage
   *     keeps, if it keeps one
   */
  Folder folder(boolean forced, boolean compared) throws IOException;

  /** Returns the storage, in which texts are paths. */
  Storage storage();

  /** A file that {@link #visitFiles} finds. */
  @FunctionalInterface
  interface FileVisitor {
    /**
     * @param path the text of its path
     * @param length its length in bytes
     * @param modified its time of modification in milliseconds
     */
    void visit(Object path, long length, long modified);
  }

  /**
   * Lists the files below the folder at this path, in any order. Folders that cannot be listed are
   * skipped, because the files in them may be readable nevertheless.
   *
   * @param prefix the beginning of their names
   * @param depth the number of nested folders; 1 for the files of this one
   */
  void visitFiles(String prefix, int depth, FileVisitor visitor) throws IOException;

  /**
   * Returns the space that a file or folder takes on disks: on HDFS the space of all replicas of
   * its blocks, on a local disk the blocks that the command {@code du} counts, because Java does
   * not report them. Empty if it is unknown: on object stores, without {@code du}, and if the user
   * may not ask.
   */
  OptionalLong bytesOnDisk() throws IOException;

  /**
   * Returns the free space at this existing path, in bytes that all copies of a file share. Empty
   * if the storage does not know it.
   */
  OptionalLong freeBytes() throws IOException;

  /** Returns the number of copies that the storage keeps of a file at this path. */
  default int copies() {
    return 1;
  }

  /**
   * Returns the space that a quota leaves in the folder at this path, in bytes that the copies of
   * files share. Empty without a quota.
   *
   * @throws java.nio.file.AccessDeniedException if a folder below may not be read
   */
  default OptionalLong quotaLeft() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Checks that no run writes a dataset in place in a folder.
   *
   * @throws FormatException if one does
   */
  void refuseUnfinished(Location location) throws IOException;

  /**
   * Returns the location of the path. If no such file exists, it may be the base name of shards,
   * {@code <path>.shard0-of-<count>.<suffix>}, or the name of the single file that they replace;
   * the location is then the first shard.
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
    StoragePath parent = parent();
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
    if (name.indexOf('*') >= 0) {
      return FileError.NOT_FOUND.in(
          path,
          "no such file or directory (expected the folder %s, whose files are read together)",
          path.substring(0, path.length() - name.length()));
    }
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
  private static @Nullable String firstShard(StoragePath parent, String missing)
      throws IOException {
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
