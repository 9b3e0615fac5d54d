package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Creates errors for failed writes to the local storage. The errors contain the path and, if the
 * storage is full, the required space and the free space; the system itself reports only a phrase
 * such as "No space left on device".
 */
public final class WriteFailure {
  /**
   * Phrases that the C library uses for ENOSPC, EDQUOT and EFBIG, and that Hadoop uses for local
   * folders.
   */
  private static final List<String> FULL =
      List.of("no space left", "quota exceeded", "file too large", "no space available");

  private WriteFailure() {}

  /**
   * Returns the error for a failed write.
   *
   * @param position the position in the file, in bytes, at which the write failed
   * @param bytes the number of bytes that remained to be written at that position
   */
  static FormatException of(Path path, long position, long bytes, IOException failure) {
    String reason = reason(failure);
    return isFull(failure)
        ? FileError.NO_SPACE
            .in(
                path.toString(),
                "%s, at byte %d (expected room for %s or more, and %s)",
                reason,
                position,
                ByteSizes.show(bytes),
                free(path))
            .causedBy(failure)
        : FileError.WRITE_FAILED
            .in(path.toString(), "cannot be written: %s, at byte %d", reason, position)
            .causedBy(failure);
  }

  /**
   * Returns the error for a failed operation other than a write.
   *
   * @param operation the operation, as a phrase that follows "cannot", such as "be created"
   */
  public static FormatException of(Path path, String operation, IOException failure) {
    if (isFull(failure)) {
      return FileError.NO_SPACE
          .in(path.toString(), "cannot %s: %s (%s)", operation, reason(failure), free(path))
          .causedBy(failure);
    }
    boolean denied = failure instanceof AccessDeniedException;
    return (denied ? FileError.ACCESS_DENIED : FileError.WRITE_FAILED)
        .in(
            path.toString(),
            "cannot %s: %s",
            operation,
            denied ? "permission denied" : reason(failure))
        .causedBy(failure);
  }

  /** Returns whether a failure means that the storage or the user's quota is full. */
  public static boolean isFull(Throwable failure) {
    String reason = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return FULL.stream().anyMatch(reason::contains);
  }

  private static String reason(IOException failure) {
    String reason =
        failure instanceof FileSystemException named && named.getReason() != null
            ? named.getReason()
            : String.valueOf(failure.getMessage());
    return Quote.show(reason.isEmpty() ? failure.getClass().getSimpleName() : reason);
  }

  private static String free(Path path) {
    Path existing = path.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    try {
      return ByteSizes.show(Files.getFileStore(existing).getUsableSpace()) + " are free";
    } catch (IOException e) {
      return "the free space is unknown";
    }
  }
}
