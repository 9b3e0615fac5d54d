package org.saevhadoop.format.storage;

import java.io.IOException;

/** Work on a storage. */
@FunctionalInterface
public interface IoAction {
  void run() throws IOException;
}
