package org.saevhadoop.format.safetensors.dataset;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors of datasets in safetensors files; for headers, see {@link
 * org.saevhadoop.format.safetensors.header.SafetensorsError}.
 */
public enum TensorDatasetError implements ErrorKind {
  /** dataset_manifest.json is malformed or contradicts the files. */
  BAD_MANIFEST,
  /** An entry of {@code __metadata__} is malformed or contradicts the tensors. */
  BAD_FILE_METADATA,
  /** A tensor is not a column of examples. */
  BAD_COLUMN,
  /** A tensor is not named {@code <id><separator><column>}, or is missing under a key. */
  BAD_KEY,
  /** An id occurs in several files. */
  DUPLICATE_ID,
  /** The columns of a file, or its number of examples, differ from the dataset. */
  FILES_DISAGREE,
  /** The manifest does not list a file. */
  ORPHAN_FILE,
  /** A file of the dataset is missing. */
  MISSING_FILE,
  /** A file does not identify itself as part of a dataset, and no manifest lists it. */
  NOT_A_DATASET,
  /** The files contain no examples. */
  NO_EXAMPLES,
  /** The sizes exceed 2^63 bytes or the limits of a table. */
  TOO_LARGE
}
