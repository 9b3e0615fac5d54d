package org.saevhadoop.format.parquet;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of a tensor index in Parquet. */
public enum ParquetError implements ErrorKind {
  /** The file is not Parquet, or damaged. */
  BAD_PARQUET,
  /** The file uses a codec or encoding that is not read. */
  UNSUPPORTED_PARQUET,
  /** The file or folder is not a tensor index. */
  NO_INDEX,
  /** A row is not the entry of a tensor. */
  BAD_ENTRY,
  /** The index and the headers of the files disagree. */
  INDEX_MISMATCH
}
