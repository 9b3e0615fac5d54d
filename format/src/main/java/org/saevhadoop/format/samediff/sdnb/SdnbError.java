package org.saevhadoop.format.samediff.sdnb;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in an SDNB file. */
public enum SdnbError implements ErrorKind {
  /** The file is not SDNB, or its header points outside the file. */
  BAD_HEADER,
  /** The FlatBuffer that describes the arrays is malformed. */
  BAD_GRAPH,
  /** The manifest is not the serialized map of array names to byte ranges. */
  BAD_MANIFEST,
  /** The description of an array contradicts itself, the manifest or the file. */
  BAD_ARRAY,
  /** The file uses a feature of the container that has no known layout. */
  UNSUPPORTED,
  /** A number or a size exceeds the limits for files that are read or written. */
  TOO_LARGE
}
