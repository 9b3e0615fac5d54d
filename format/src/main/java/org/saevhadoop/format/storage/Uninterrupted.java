package org.saevhadoop.format.storage;

import java.io.IOException;
import org.saevhadoop.format.io.Io;

/** Work that must be done even if its thread is interrupted, such as the deletion of files. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Does the work; if the thread was interrupted, its interrupt status is set again afterwards. */
  public static void run(Io.Action work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
