package org.saevhadoop.format.io;

import org.jspecify.annotations.Nullable;

/**
 * A storage or server failure: unlike an error in data, it may disappear if the operation is
 * repeated. It has its own class because, for an exception in a task on a cluster, only the class
 * name is known.
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
