package org.saevhadoop.format.numpy;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in .npy files. */
public enum NpyError implements ErrorKind {
  /** The file does not begin as a .npy file does. */
  NOT_NPY,
  /** The file ends before its header or its values do. */
  TRUNCATED,
  /** The header is not the dictionary that numpy requires. */
  BAD_HEADER,
  /** The version of the format, the dtype or the number of dimensions is not supported. */
  UNSUPPORTED,
  /** The header is longer than that of any plain array. */
  LIMIT_EXCEEDED
}
