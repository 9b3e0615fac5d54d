package org.saevhadoop.format.numpy.header;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in numpy files: .npy, .npz, and memory maps. */
public enum NpyError implements ErrorKind {
  /** The file does not begin like a .npy file. */
  NOT_NPY,
  /** The file ends before the end of its header or values. */
  TRUNCATED,
  /** The header is not the dictionary that numpy requires. */
  BAD_HEADER,
  /** The version of the format, the dtype or the number of dimensions is not supported. */
  UNSUPPORTED,
  /** The header is longer than the header of any plain array. */
  LIMIT_EXCEEDED,
  /** The elements are bytes without a type; the user has to name the type. */
  UNKNOWN_DTYPE,
  /** An array of a .npz file is compressed, so that it cannot be read in place. */
  COMPRESSED,
  /** Two arrays of a pickle have the same name, or a container contains itself. */
  BAD_STRUCTURE,
  /** A .npz file contains no array. */
  NO_ARRAYS,
  /** A file without a header has no document that describes its array. */
  NO_DESCRIPTION,
  /** The document of a file without a header does not describe an array. */
  BAD_DESCRIPTION,
  /** A file differs from its description in the document of the dataset. */
  CONTRADICTION,
  /** The length of a file without a header, or of a compressed entry, does not match its array. */
  WRONG_LENGTH
}
