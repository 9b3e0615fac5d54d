package org.saevhadoop.format.gzip;

import org.saevhadoop.format.io.ErrorKind;

/** What can be wrong with a gzip file; the name stands in the error's line. */
public enum GzipError implements ErrorKind {
  /** The file is empty or ends in a member's header, data or trailer. */
  TRUNCATED,
  /** A header, data or a checksum that RFC 1951 and 1952 do not allow. */
  BAD_GZIP,
  /** Other bytes than zeros or another member after a member. */
  TRAILING_DATA;

  @Override
  public boolean isShown() {
    return true;
  }
}
