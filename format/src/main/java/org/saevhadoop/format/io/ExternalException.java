package org.saevhadoop.format.io;

/**
 * A failure of a storage or a server: unlike after errors in data, repeating the operation may
 * succeed. The class is distinct because only its name is known of an exception that was thrown in
 * a task of a cluster.
 */
public final class ExternalException extends FormatException {
  private static final long serialVersionUID = 1L;

  ExternalException(ErrorKind kind, String path, String where, String problem, String expected) {
    super(kind, path, where, problem, expected, null);
  }
}
