package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** A directory of a storage: where a dataset's files lie. Names are plain file names. */
public interface Folder {
  /** The directory's path, as error messages name it. */
  String path();

  /** The path of a file in it. */
  default String path(String name) {
    return path() + "/" + name;
  }

  /** The directory's last name: SAEV's hash, for one. */
  default String name() {
    String path = path();
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  /** Lengths of the regular files in it, by name. */
  SortedMap<String, Long> files() throws IOException;

  /** The directory of a name in it; empty where there is none, or a file. */
  default Optional<Folder> folder(String name) throws IOException {
    return Optional.empty();
  }

  /**
   * Names of the directories in it. A link that leads back to where it lies, or above, is none: who
   * goes down would not come out.
   */
  default SortedSet<String> folders() throws IOException {
    return Collections.emptySortedSet();
  }

  /** Opens a file for reading. */
  Input open(String name) throws IOException;

  /** Creates a file that must not exist yet, and the directory where needed. */
  Output create(String name) throws IOException;

  /**
   * A small file whole, a JSON document for one.
   *
   * @param limit bytes; a longer file is refused before it is read
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
