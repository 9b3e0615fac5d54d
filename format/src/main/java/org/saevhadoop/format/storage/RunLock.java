package org.saevhadoop.format.storage;

import java.io.Closeable;
import java.io.IOException;

/** A lock that ends with its process, however the process ends. */
public interface RunLock extends Closeable {
  /**
   * Returns whether the locked file still is the one at its path. A lock is worthless if its file
   * was deleted before it was obtained.
   */
  boolean isCurrent() throws IOException;

  /** Ends the renewal of the lock, so that its file can be deleted. */
  default void stopRenewal() {
    // most locks are not renewed
  }
}
