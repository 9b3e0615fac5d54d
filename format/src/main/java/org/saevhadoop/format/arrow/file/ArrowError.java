package org.saevhadoop.format.arrow.file;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in an Arrow file. */
public enum ArrowError implements ErrorKind {
  /**
   * The file is not an Arrow file, or a message, its body or the footer is not where it is
   * expected.
   */
  BAD_FRAME,
  /** The FlatBuffer of a schema, a record batch or the footer is malformed. */
  BAD_METADATA,
  /** A record batch contradicts its schema, itself or the file. */
  BAD_BATCH,
  /** The lists in a row have different lengths, or the lengths change too often between rows. */
  RAGGED,
  /** A vector, a list or a value is null. */
  NULL,
  /** The file uses a feature of the format that is not read in place. */
  UNSUPPORTED,
  /** A number or a size exceeds the limits within which files are read. */
  TOO_LARGE,
  /** The documents of a folder contradict its files, or describe more than the files. */
  BAD_FOLDER
}
