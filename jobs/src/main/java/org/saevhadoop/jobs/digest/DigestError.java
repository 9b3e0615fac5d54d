package org.saevhadoop.jobs.digest;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of differences between a dataset and its recorded digest, and errors of sums files. */
public enum DigestError implements ErrorKind {
  /** The digest of the values differs from the recorded digest. */
  DIFFERENT_DIGEST,
  /** The sum of a file differs from the recorded sum. */
  DIFFERENT_SUM,
  /** A file that has a recorded sum does not exist. */
  MISSING_FILE,
  /** A file has no recorded sum. */
  EXTRA_FILE,
  /** A line of a sums file is malformed. */
  BAD_SUMS
}
