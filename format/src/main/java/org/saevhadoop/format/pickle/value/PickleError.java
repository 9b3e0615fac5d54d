package org.saevhadoop.format.pickle.value;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors in a pickle or in a dataset of pickles. The name is part of the error message.
 */
public enum PickleError implements ErrorKind {
  /** A global, extension, persistent id or buffer is not on the list of supported objects. */
  UNSAFE_GLOBAL,
  /** A size is larger than in any real data; see {@link PickleLimits}. */
  LIMIT_EXCEEDED,
  /** The pickle ends before STOP. */
  TRUNCATED,
  /** Bytes follow STOP. */
  TRAILING_DATA,
  /** The first bytes belong to another format. */
  NOT_A_PICKLE,
  /** An opcode is unknown, or does not fit the stack. */
  BAD_PICKLE,
  /** The argument of an opcode is out of range. */
  BAD_OPCODE_ARG,
  /** The type, shape and data of an array do not agree. */
  BAD_ARRAY,
  /** The type and data of a numpy scalar do not agree. */
  BAD_SCALAR,
  /** The value is not a dictionary that maps layers to lists of samples. */
  SCHEMA,
  /** A layer occurs twice. */
  DUPLICATE_LAYER,
  /** A sample occurs twice in a layer. */
  DUPLICATE_SAMPLE,
  /** The shape field of a sample differs from the shape of its array. */
  SHAPE_MISMATCH,
  /** A list shared by two layers was extended after it was stored for the first one. */
  UNSUPPORTED_MUTATION,
  /** The structure of metadata.json is unknown. */
  BAD_METADATA,
  /** metadata.json names a file outside the directory. */
  UNSAFE_PATH,
  /** The length or the content of a file differs from metadata.json. */
  SIZE_MISMATCH,
  /** The samples of a shard differ from metadata.json. */
  COUNT_MISMATCH,
  /** The layers of a shard differ from metadata.json. */
  LAYER_MISMATCH,
  /** The version of metadata.json is unknown. */
  UNSUPPORTED_VERSION;

  @Override
  public boolean isShown() {
    return true;
  }
}
