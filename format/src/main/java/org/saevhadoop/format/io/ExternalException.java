package org.saevhadoop.format.io;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a storage or a server: unlike after errors in data, repeating the operation may
 * succeed. A distinct class, because only the class name is known of an exception in a task on a
 * cluster.
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
