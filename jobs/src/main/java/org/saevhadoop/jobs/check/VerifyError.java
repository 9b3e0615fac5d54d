package org.saevhadoop.jobs.check;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of differences between a written dataset and the conversion of its source. */
public enum VerifyError implements ErrorKind {
  /** A byte of a file differs, or the file ends too early or too late. */
  DIFFERENT,
  /** A file does not exist. */
  MISSING,
  /** The dataset is recognized as another format, or has another shape. */
  OTHER_DATASET
}
