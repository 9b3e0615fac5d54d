package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;

/**
 * A directory in a storage system that contains the files of a dataset. Names are plain file names.
 */
@PublicApi
public interface Folder {
  /** Returns the path of the directory, for error messages. */
  String path();

  /** Returns the path of a file in the directory. */
  default String path(String name) {
    return path() + "/" + name;
  }

  /** Returns the last component of the path; in SAEV, this is the hash. */
  default String name() {
    String path = path();
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  /**
   * Returns the lengths of the files in the directory, by name. An entry that is neither a
   * directory nor a regular file, such as a named pipe or a broken link, has the length 0; opening
   * such an entry fails, so it cannot be mistaken for a file that is absent.
   */
  SortedMap<String, Long> files() throws IOException;

  /** Returns the parent directory; empty if there is none or if it is unknown. */
  default Optional<Folder> parent() throws IOException {
    return Optional.empty();
  }

  /** Returns a subdirectory, or empty if there is no directory with this name. */
  default Optional<Folder> folder(String name) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the names of the subdirectories. Omits links to the directory itself or to one of its
   * ancestors, which would make a recursive traversal endless.
   */
  default SortedSet<String> folders() throws IOException {
    return Collections.emptySortedSet();
  }

  /**
   * The content of a directory.
   *
   * @param files the result of {@link Folder#files}
   * @param folders the result of {@link Folder#folders}
   */
  record Listing(SortedMap<String, Long> files, SortedSet<String> folders) {}

  /** Returns files and subdirectories; an implementation may read the directory once for both. */
  default Listing list() throws IOException {
    return new Listing(files(), folders());
  }

  /** Opens a file. */
  Input open(String name) throws IOException;

  /** Returns whether a process holds a lock on a file; false if the storage does not show locks. */
  default boolean isLocked(String name) throws IOException {
    return false;
  }

  /** Returns whether the files that are created here support {@link Output#writeAt}. */
  default boolean isSeekable() {
    return false;
  }

  /**
   * Creates a file that must not yet exist. The directory must exist: if another process has
   * removed it, nothing is written.
   */
  Output create(String name) throws IOException;

  /**
   * Creates or empties a file that can be written at any position and read before it is complete;
   * empty if the storage does not support such files.
   *
   * @hidden
   */
  @Internal
  default Optional<LocalSpool> createSpool(String name) throws IOException {
    return Optional.empty();
  }

  /** Deletes a file. Nothing happens if there is no such file. */
  default void delete(String name) throws IOException {
    throw new UnsupportedOperationException(path(name) + ": cannot be deleted");
  }

  /**
   * Waits until the files that were created here and closed are on the disk, if this folder forces
   * its files. The files must not be renamed to their final names before this method returns.
   *
   * @throws IOException if one of the files cannot be forced
   * @hidden
   */
  @Internal
  default void awaitForced() throws IOException {}

  /**
   * Reads a whole small file, such as a JSON document.
   *
   * @param limit the maximum size in bytes; a larger file is rejected before it is read
   */
  default byte[] readSmall(String name, int limit) throws IOException {
    try (Input in = open(name)) {
      long length = in.length();
      FileError.TOO_LARGE.check(
          length <= limit,
          in.path(),
          "%d bytes are too many for this document (expected at most %d)",
          length,
          limit);
      byte[] bytes = new byte[(int) length];
      in.readFully(0, ByteBuffer.wrap(bytes));
      return bytes;
    }
  }
}
