package org.saevhadoop.format.parquet.file;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Closes several objects, even if closing one of them fails. */
public final class Closing {
  private Closing() {}

  /** Closes objects. Throws the first failure, with the other failures suppressed. */
  public static void all(Iterable<? extends Closeable> objects) throws IOException {
    IOException failure = close(objects);
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes objects after a failure, and adds any further failures to it as suppressed. */
  public static void allAfter(Exception failure, Iterable<? extends Closeable> objects) {
    IOException closing = close(objects);
    if (closing != null) {
      failure.addSuppressed(closing);
    }
  }

  private static @Nullable IOException close(Iterable<? extends Closeable> objects) {
    IOException failure = null;
    for (Closeable object : objects) {
      try {
        object.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    return failure;
  }
}
