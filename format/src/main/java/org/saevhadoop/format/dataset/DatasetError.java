package org.saevhadoop.format.dataset;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in datasets of any format. */
public enum DatasetError implements ErrorKind {
  UNKNOWN_FORMAT,
  /** The format lacks the requested capability. */
  UNSUPPORTED,
  NO_ACTIVATIONS,
  /** Activations have 0 layers, tokens or dims. */
  NO_VECTORS,
  UNKNOWN_CLS_TOKENS,
  /** The dataset, or an example of it, has no labels. */
  NO_LABELS,
  /** The labels are not U8 of the right shape. */
  BAD_LABELS,
  /** The per-token integers are not I64 values, one per token. */
  BAD_TOKEN_ARRAY,
  /** The labels do not match the examples or patches of the activations. */
  LABELS_MISMATCH,
  /** The dataset, or an example of it, has no sample metadata. */
  NO_SAMPLE_METADATA,
  /** The sample metadata covers fewer examples than are written. */
  SAMPLE_METADATA_MISMATCH,
  /** The ids are missing, or cover fewer examples than are written. */
  IDS_MISMATCH,
  /** Samples have different lengths, or lengths other than requested. */
  RAGGED,
  NO_SUCH_EXAMPLE,
  NO_SUCH_LAYER,
  NO_SUCH_TOKEN,
  NO_SUCH_COLUMN,
  BAD_SELECTION,
  EMPTY_SELECTION,
  /** The target dtype or file format cannot represent the values. */
  NOT_CONVERTIBLE,
  /** The vectors have no norm for scaling. */
  NOT_SCALABLE,
  /** A size is too large to be addressed, allocated or written. */
  TOO_LARGE,
  /** A record does not belong to the dataset that is being written. */
  FOREIGN_RECORD,
  BLOCK_OUT_OF_ORDER,
  BLOCK_REPEATED,
  BLOCK_SIZE,
  /** Blocks or files of the dataset that is being written are missing. */
  INCOMPLETE;

  /**
   * Returns true for arrays without vectors, because table formats do not check for activations.
   */
  @Override
  public boolean isOfData() {
    return this == NO_VECTORS;
  }
}
