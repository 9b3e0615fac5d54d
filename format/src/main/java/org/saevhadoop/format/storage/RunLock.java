package org.saevhadoop.format.storage;

import java.io.Closeable;
import java.io.IOException;

/** A lock that is released when its process ends, however the process ends. */
public interface RunLock extends Closeable {
  /**
   * Returns whether the file at the path is still the file that was locked. A lock is worthless if
   * its file was deleted before the lock was obtained.
   */
  boolean isCurrent() throws IOException;

  /** Stops renewing the lock, so that the lock file can be deleted. */
  default void stopRenewal() {
    // most locks are not renewed
  }
}
