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
 * The absolute path of a file or folder in a storage: on the local disk, which is accessed without
 * Hadoop, or in a Hadoop file system, whose classes take longer to load than most commands take to
 * run. Two paths are equal if their strings are equal.
 */
public interface StoragePath {
  /** Kinds of entries at a path. */
  enum Kind {
    MISSING,
    FILE,
    FOLDER
  }

  Pattern FIRST_SHARD = Pattern.compile("(.+)\\.shard0-of-[1-9]\\d*(\\.\\w+)", Pattern.DOTALL);

  boolean isLocal();

  /**
   * Returns the path as shown in messages: a local path without its scheme, in a form that a shell
   * accepts.
   */
  String shown();

  String qualified();

  /** Returns the path in the same storage that the given qualified string denotes. */
  StoragePath parse(String qualified);

  /** Returns the last component; empty for a root. */
  String name();

  /** Returns the parent folder; null for a root. */
  @Nullable StoragePath parent();

  default boolean isRoot() {
    return parent() == null;
  }

  /**
   * Returns the parent folder.
   *
   * @throws NullPointerException if this is a root
   */
  default StoragePath folderAbove() {
    return Objects.requireNonNull(parent());
  }

  default StoragePath root() {
    StoragePath above = parent();
    return above == null ? this : above.root();
  }

  /**
   * Returns the path of an entry of the folder at this path. The name of the entry may contain a
   * colon.
   */
  StoragePath child(String name);

  /** Returns this path with text appended to its last component. */
  default StoragePath suffix(String end) {
    return folderAbove().child(name() + end);
  }

  /**
   * Returns whether another path is equal to this path or below it; only the path strings are
   * compared.
   */
  boolean contains(StoragePath other);

  Kind kind() throws IOException;

  /** Returns the names of entries of the folder at this path, up to a maximum number of names. */
  List<String> names(int limit) throws IOException;

  default Folder folder() throws IOException {
    return folder(false, false);
  }

  /**
   * Returns the folder at this path, for writing.
   *
   * @param forced whether the content of files is forced to the disk: in a local folder, before
   *     {@link Folder#awaitForced} returns; elsewhere, when the files are closed
   * @param compared whether closing a file compares its bytes with the checksum of the storage, if
   *     there is one
   */
  Folder folder(boolean forced, boolean compared) throws IOException;

  /** Returns the storage, which resolves strings as paths. */
  Storage storage();

  /** Accepts the files that {@link #visitFiles} finds. */
  @FunctionalInterface
  interface FileVisitor {
    /**
     * @param path an object whose {@code toString} returns the path
     * @param length the length of the file in bytes
     * @param modified the modification time of the file in milliseconds
     */
    void visit(Object path, long length, long modified);
  }

  /**
   * Lists the files below the folder at this path, in any order. It is not an error if a folder
   * cannot be listed, because the files in it may still be readable.
   *
   * @param depth the maximum depth of nested folders; 1 for the files of this folder only
   */
  void visitFiles(int depth, FileVisitor visitor) throws IOException;

  /**
   * Returns the disk space that a file or folder occupies: on HDFS, the space of all replicas of
   * its blocks; on a local disk, the blocks that the command {@code du} counts, because Java does
   * not report them. The result is empty if the space is unknown: on object stores, if {@code du}
   * is not available, or if permission is denied.
   */
  OptionalLong bytesOnDisk() throws IOException;

  /**
   * Returns the raw free space at this existing path in bytes, before division by the number of
   * copies of a file; empty if the storage does not know it.
   */
  OptionalLong freeBytes() throws IOException;

  /** Returns the number of copies that the storage keeps of a file at this path. */
  default int copies() {
    return 1;
  }

  /**
   * Returns the raw space in bytes that a quota leaves in the folder at this path, before division
   * by the number of copies of a file; empty if there is no quota.
   *
   * @throws java.nio.file.AccessDeniedException if the user may not read a folder below this path
   */
  default OptionalLong quotaLeft() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Checks that no run writes a dataset in place in a folder.
   *
   * @throws FormatException if a run is writing a dataset there
   */
  void refuseUnfinished(Location location) throws IOException;

  /**
   * Returns the location of the path. If no such file exists, the path may end in the base name of
   * shards, {@code <path>.shard0-of-<count>.<suffix>}, or the name of the single file that they
   * replace; the location is then the first shard.
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
   * Returns the location of this path, which the client of the job has already located.
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

  /**
   * Returns the name of the first shard, in the given folder, of the dataset with the given base
   * name; null if there is none.
   */
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
