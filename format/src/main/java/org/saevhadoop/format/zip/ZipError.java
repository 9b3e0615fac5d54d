package org.saevhadoop.format.zip;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in the structure of a ZIP archive, or in the compressed data of an entry. */
public enum ZipError implements ErrorKind {
  /** The file is not a ZIP archive. */
  NOT_A_ZIP,
  /** The file begins like a ZIP archive but ends before its end record is complete. */
  TRUNCATED,
  /** The end record, its ZIP64 form or the central directory violates the ZIP specification. */
  BAD_DIRECTORY,
  /** The file is one part of an archive that spans several disks. */
  MULTI_DISK,
  /** A number or length is beyond the limits of this package or of the format. */
  TOO_LARGE,
  /** The name of an entry does not denote a file, or the format does not allow it. */
  BAD_NAME,
  /** Two entries have the same name. */
  DUPLICATE_NAME,
  /** An entry or the central directory is encrypted. */
  ENCRYPTED,
  /** The compression method is neither STORED nor DEFLATED. */
  UNSUPPORTED_METHOD,
  /** The declared sizes of an entry cannot both be true. */
  IMPOSSIBLE_SIZE,
  /** An entry begins or ends outside of the part of the file that holds entries. */
  OUT_OF_FILE,
  /** Two entries share bytes of the file. */
  OVERLAP,
  /** A local header or data descriptor contradicts the central directory. */
  HEADER_MISMATCH,
  /** An entry is not listed in the central directory: only sequential readers would find it. */
  UNLISTED_ENTRY,
  /** The data of an entry is not valid DEFLATE data, or does not have the declared length. */
  BAD_DATA,
  /** The size of the inflated data differs from the declared size. */
  SIZE_MISMATCH,
  /** The CRC-32 of the data differs from the declared one. */
  CRC_MISMATCH
}
