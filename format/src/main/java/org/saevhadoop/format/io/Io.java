package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Functions that read, write or close data and may therefore fail. */
public final class Io {
  private Io() {}

  /** A supplier of a value, such as a dataset that it opens. */
  @FunctionalInterface
  public interface Supplier<T> {
    T get() throws IOException;
  }

  /** A function that maps one value to another. */
  @FunctionalInterface
  public interface Function<T, R> {
    R apply(T value) throws IOException;
  }

  /** Accepts values. */
  @FunctionalInterface
  public interface Consumer<T> {
    void accept(T value) throws IOException;
  }

  /** Does something. */
  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  /** Closes objects. Throws the first failure, with the other failures suppressed. */
  public static void closeAll(Iterable<? extends Closeable> objects) throws IOException {
    IOException failure = close(objects);
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes objects after a failure, and adds any further failures to it as suppressed. */
  public static void closeAfter(Exception failure, Iterable<? extends Closeable> objects) {
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
