package org.saevhadoop.format.gzip;

import org.saevhadoop.format.io.FormatException;

/** What can be wrong with a gzip file; the name stands in the error's line. */
public enum GzipError {
  /** The file is empty or ends in a member's header, data or trailer. */
  TRUNCATED,
  /** A header, data or a checksum that RFC 1951 and 1952 do not allow. */
  BAD_GZIP,
  /** Other bytes than zeros or another member after a member. */
  TRAILING_DATA;

  /** The exception; {@code problem} is a format string: what is wrong and at which byte. */
  public FormatException in(String path, String problem, Object... args) {
    return new FormatException(path, name() + ": " + String.format(problem, args));
  }

  /** Throws unless {@code holds}. */
  public void check(boolean holds, String path, String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw in(path, problem, args);
    }
  }
}
