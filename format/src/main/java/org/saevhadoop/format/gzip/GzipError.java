package org.saevhadoop.format.gzip;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in a gzip file; the name is part of the error message. */
public enum GzipError implements ErrorKind {
  /** The file is empty or ends in a member's header, data or trailer. */
  TRUNCATED,
  /** A header, data or checksum violates RFC 1951 or RFC 1952. */
  BAD_GZIP,
  /** A member is followed by bytes that are neither zeros nor another member. */
  TRAILING_DATA;

  @Override
  public boolean isShown() {
    return true;
  }
}
