package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Work that must be done even if its thread is interrupted, such as the deletion of files. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Does the work; if the thread is interrupted, it is so again afterwards. */
  public static void run(InvocationRaisingIOE work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      work.apply();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
