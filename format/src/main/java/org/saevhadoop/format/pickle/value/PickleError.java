package org.saevhadoop.format.pickle.value;

import org.saevhadoop.format.io.ErrorKind;

/** What can be wrong with a pickle or a dataset of pickles; the name stands in the error's line. */
public enum PickleError implements ErrorKind {
  /** A global, extension, persistent id or buffer that is not on the list of what is built. */
  UNSAFE_GLOBAL,
  /** More than real data ever has: see {@link PickleLimits}. */
  LIMIT_EXCEEDED,
  /** The pickle ends before its STOP. */
  TRUNCATED,
  /** Bytes after the STOP. */
  TRAILING_DATA,
  /** The first bytes are those of something else. */
  NOT_A_PICKLE,
  /** An opcode that is not known, or does not fit what is on the stack. */
  BAD_PICKLE,
  /** An opcode's argument is out of range. */
  BAD_OPCODE_ARG,
  /** An array whose type, shape and data do not go together. */
  BAD_ARRAY,
  /** A numpy scalar whose type and data do not go together. */
  BAD_SCALAR,
  /** Not a dictionary of layers, lists and samples. */
  SCHEMA,
  /** A layer comes twice. */
  DUPLICATE_LAYER,
  /** A sample comes twice in a layer. */
  DUPLICATE_SAMPLE,
  /** A sample's shape is not its array's. */
  SHAPE_MISMATCH,
  /** A list that two layers share was extended in between. */
  UNSUPPORTED_MUTATION,
  /** metadata.json is not of a known form. */
  BAD_METADATA,
  /** metadata.json names a file outside of the directory. */
  UNSAFE_PATH,
  /** A file is not as long, or not of the content, that metadata.json says. */
  SIZE_MISMATCH,
  /** A shard does not hold the samples that metadata.json says. */
  COUNT_MISMATCH,
  /** A shard does not hold the layers that metadata.json says. */
  LAYER_MISMATCH,
  /** metadata.json is of a version that is not known. */
  UNSUPPORTED_VERSION;

  @Override
  public boolean isShown() {
    return true;
  }
}
