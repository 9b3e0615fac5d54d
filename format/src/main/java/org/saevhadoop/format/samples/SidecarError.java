package org.saevhadoop.format.samples;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in files of sample metadata. */
public enum SidecarError implements ErrorKind {
  /** A line of the file is malformed. */
  BAD_SIDECAR,
  /** The metadata of a sample exceeds the limit. */
  TOO_LARGE
}
