package org.saevhadoop.format.io;

import java.io.IOException;

/** Finds what lies at a path, on whatever storage. */
@FunctionalInterface
public interface Storage {
  /**
   * Returns what lies at a path or URI.
   *
   * @throws FormatException if nothing lies there
   */
  Location locate(String path) throws IOException;
}
