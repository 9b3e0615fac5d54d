package org.saevhadoop.format.gzip;

import org.saevhadoop.format.io.FormatException;

/** Kinds of errors in a gzip file; the name is part of the error message. */
public enum GzipError {
  /** The file is empty or ends in the header, data or trailer of a member. */
  TRUNCATED,
  /** A header, data or checksum violates RFC 1951 or RFC 1952. */
  BAD_GZIP,
  /** A member is followed by bytes that are neither zeros nor another member. */
  TRAILING_DATA;

  /**
   * Returns an exception; {@code problem} is a format string that states the problem and its
   * offset.
   */
  public FormatException in(String path, String problem, Object... args) {
    return new FormatException(path, name() + ": " + String.format(problem, args));
  }

  /** Throws an exception unless {@code holds}. */
  public void check(boolean holds, String path, String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw in(path, problem, args);
    }
  }
}
