package org.saevhadoop.format.storage;

import java.io.IOException;

/** A function that accesses a storage. */
@FunctionalInterface
public interface IoFunction<T, R> {
  R apply(T value) throws IOException;
}
