package org.saevhadoop.format.io;

import java.io.IOException;

/** Resolves paths on any storage. */
@FunctionalInterface
public interface Storage {
  /**
   * Returns the location to which a path or URI refers.
   *
   * @throws FormatException if the path does not exist
   */
  Location locate(String path) throws IOException;
}
