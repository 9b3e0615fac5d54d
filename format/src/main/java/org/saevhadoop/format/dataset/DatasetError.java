package org.saevhadoop.format.dataset;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors that any dataset can have, whatever its format. */
public enum DatasetError implements ErrorKind {
  /** No format recognizes the files. */
  UNKNOWN_FORMAT,
  /** The format has no such capability. */
  UNSUPPORTED,
  /** The columns of the dataset are not activations. */
  NO_ACTIVATIONS,
  /** Nothing records whether token 0 is [CLS]. */
  UNKNOWN_CLS_TOKENS,
  /** The dataset, or an example of it, has no labels. */
  NO_LABELS,
  /** The labels are not U8 of the right shape. */
  BAD_LABELS,
  /** The labels are of other examples or patches than the activations. */
  LABELS_MISMATCH,
  /** The dataset, or an example of it, has no sample metadata. */
  NO_SAMPLE_METADATA,
  /** The sample metadata is of fewer examples than are written. */
  SAMPLE_METADATA_MISMATCH,
  /** The ids are missing, or of fewer examples than are written. */
  IDS_MISMATCH,
  /** The example is not in the dataset. */
  NO_SUCH_EXAMPLE,
  /** The layer was not recorded. */
  NO_SUCH_LAYER,
  /** The token was not stored. */
  NO_SUCH_TOKEN,
  /** The dataset has no column of this name. */
  NO_SUCH_COLUMN,
  /** The selection does not fit the dataset. */
  BAD_SELECTION,
  /** The selection contains no vectors. */
  EMPTY_SELECTION,
  /** The other dtype or file format cannot hold the values. */
  NOT_CONVERTIBLE,
  /** The vectors have no norm by which they could be scaled. */
  NOT_SCALABLE,
  /** A size exceeds what can be addressed, allocated or written. */
  TOO_LARGE,
  /** A record does not belong to the dataset that is written. */
  FOREIGN_RECORD,
  /** A block arrives out of the order of the file. */
  BLOCK_OUT_OF_ORDER,
  /** A block arrives twice. */
  BLOCK_REPEATED,
  /** A block or record has the wrong size or dtype. */
  BLOCK_SIZE,
  /** Blocks or files of the dataset that is written are missing. */
  INCOMPLETE
}
