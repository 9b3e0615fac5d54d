package org.saevhadoop.format.io;

import java.io.IOException;

/** Resolves paths on any storage system. */
@FunctionalInterface
public interface Storage {
  /**
   * Returns the location to which a path or URI refers.
   *
   * @throws FormatException if the path does not exist
   */
  Location locate(String path) throws IOException;

  /** Returns the path of a folder with a scheme, independent of the default file system. */
  static String uri(Folder folder) {
    return folder instanceof LocalFolder local
        ? "file://" + local.directory().toAbsolutePath()
        : folder.path();
  }
}
