package org.saevhadoop.format.io;

import java.io.IOException;

/** Functions that read or write data and may therefore fail. */
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
}
