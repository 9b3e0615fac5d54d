package org.saevhadoop.format.parquet.file;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in a Parquet file, and in a tensor index that it contains. */
public enum ParquetError implements ErrorKind {
  /** The file is not a Parquet file, or it is damaged. */
  BAD_PARQUET,
  /** The file uses a codec or encoding that is not supported. */
  UNSUPPORTED_PARQUET,
  /** A vector or one of its elements is null, or a list is empty. */
  MISSING_VALUE,
  /** Rows are not in the order of layer, example and token, or some rows are missing. */
  UNORDERED_ROWS,
  /** The dataset must be staged before it is opened. */
  NOT_STAGED,
  /** Lists of a column have different lengths. */
  UNEQUAL_LENGTHS,
  /** The bounds or the locations of pages differ from the rows: a lookup would not find keys. */
  BAD_PAGE_INDEX,
  /** The file requests more memory, rows or dimensions than any real index needs. */
  LIMIT_EXCEEDED,
  /** The file or folder is not a tensor index. */
  NO_INDEX,
  /** A row is not the entry of a tensor. */
  BAD_ENTRY,
  /** The index and the headers of the files disagree. */
  INDEX_MISMATCH;

  @Override
  public boolean isOfData() {
    return this == UNORDERED_ROWS;
  }
}
