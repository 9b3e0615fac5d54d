package org.saevhadoop.format.io;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a storage or a server: unlike an error in data, it may disappear if the operation is
 * repeated. It has a class of its own because only the class name of an exception in a task on a
 * cluster is known.
 */
public final class ExternalException extends FormatException {
  private static final long serialVersionUID = 1L;

  ExternalException(
      ErrorKind kind,
      String path,
      @Nullable String where,
      String problem,
      @Nullable String expected) {
    super(kind, path, where, problem, expected, null);
  }
}
