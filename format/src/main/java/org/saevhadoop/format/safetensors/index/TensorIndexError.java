package org.saevhadoop.format.safetensors.index;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in looking up tensors by name. */
public enum TensorIndexError implements ErrorKind {
  /** model.safetensors.index.json is malformed. */
  BAD_MODEL_INDEX,
  /** The index of a model and its files disagree. */
  MODEL_MISMATCH,
  /** A folder has several indexes. */
  AMBIGUOUS_INDEX,
  /** An entry of the index names something other than a plain file. */
  BAD_ENTRY,
  /** A tensor has several entries. */
  DUPLICATE_ENTRY,
  /** The index disagrees with the header of a file. */
  STALE_INDEX,
  /** No tensor has the requested name or key. */
  NO_SUCH_TENSOR
}
