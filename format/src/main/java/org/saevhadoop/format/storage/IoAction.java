package org.saevhadoop.format.storage;

import java.io.IOException;

/** Work that accesses a storage. */
@FunctionalInterface
public interface IoAction {
  void run() throws IOException;
}
