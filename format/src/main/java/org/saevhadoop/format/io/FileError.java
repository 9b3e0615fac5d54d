package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Kinds of errors of files and folders, regardless of their format. */
public enum FileError implements ErrorKind {
  /** No file or folder has this path. */
  NOT_FOUND,
  /** The path denotes something other than a regular file. */
  NOT_A_FILE,
  /** The path denotes a file where a folder is needed. */
  NOT_A_FOLDER,
  /** The file ends before the end of its data. */
  TRUNCATED,
  /** The file is larger than any document of its kind. */
  TOO_LARGE,
  /** The path to be written is in use. */
  ALREADY_EXISTS,
  /** The path to be overwritten contains something other than a dataset. */
  NOT_REPLACEABLE,
  /** The path to be written and the path to be read overlap: one contains the other. */
  OVERLAP,
  /** Another run is writing to the path. */
  IN_USE,
  /** A run is writing a dataset in place at the path, or has crashed while writing. */
  UNFINISHED,
  /** Another user owns the files of an interrupted run. */
  NOT_OWNED,
  /** The complete dataset of an interrupted run was changed before it was published. */
  DAMAGED,
  /** The run to be resumed differs from the requested one. */
  NOT_RESUMABLE,
  /** The path cannot be used as the name of a dataset. */
  BAD_PATH,
  /** The user is not permitted to read or write the path. */
  ACCESS_DENIED,
  /** The system cannot open the file. */
  READ_FAILED,
  /** The storage or the user's quota is full. */
  NO_SPACE,
  /** The storage failed to write the data. */
  WRITE_FAILED,
  /** The checksum of the stored file does not match the bytes that were written. */
  CHECKSUM_MISMATCH;

  @Override
  public boolean isExternal() {
    return switch (this) {
      case ACCESS_DENIED,
          READ_FAILED,
          NO_SPACE,
          WRITE_FAILED,
          CHECKSUM_MISMATCH,
          NOT_OWNED,
          DAMAGED ->
          true;
      default -> false;
    };
  }

  /** Checks that a file contains the bytes to be read. */
  public static void checkRead(Input file, long position, ByteBuffer dst) throws IOException {
    TRUNCATED.check(
        position >= 0 && dst.remaining() <= file.length() - position,
        file.path(),
        "ends at byte %d (expected %d bytes or more)",
        file.length(),
        position + dst.remaining());
  }
}
