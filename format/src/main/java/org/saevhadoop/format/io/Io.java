package org.saevhadoop.format.io;

import java.io.IOException;

/** Functions that read or write, so that they may fail. */
public final class Io {
  private Io() {}

  /** Returns a value, such as a dataset that is opened. */
  @FunctionalInterface
  public interface Supplier<T> {
    T get() throws IOException;
  }

  /** Returns a value for another one. */
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
