package org.saevhadoop.format.samediff.sdnb;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in an SDNB file. */
public enum SdnbError implements ErrorKind {
  /** The manifest is not the serialized map from names to ranges of the file. */
  BAD_MANIFEST,
  /** A count or a size is beyond that of any real file, see {@link SdnbLimits}. */
  TOO_LARGE
}
