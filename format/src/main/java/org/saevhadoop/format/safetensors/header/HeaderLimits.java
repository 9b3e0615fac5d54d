package org.saevhadoop.format.safetensors.header;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;

/**
 * Limits on the parts of a header that are decoded at a time, because a header of 100,000,000 bytes
 * must be readable with a heap of 256 MiB, and its bytes alone take a third of that. The reference
 * has no such limits. They are checked after all checks of the reference.
 */
final class HeaderLimits {
  /** Maximum length in bytes of a name, as stored. */
  static final int MAX_NAME_BYTES = 1 << 20;

  /** Maximum length in bytes of a key or value of the metadata, as stored. */
  static final int MAX_TEXT_BYTES = 16 << 20;

  /** Maximum length in bytes of all metadata, as stored. */
  static final int MAX_METADATA_BYTES = 32 << 20;

  /** Maximum number of metadata keys. */
  static final int MAX_METADATA_KEYS = 200_000;

  static final int MAX_DIMENSIONS = 1 << 16;

  private @Nullable String problem;
  private long found;
  private long limit;
  private int position;
  private long metadataBytes;
  private int metadataKeys;

  void name(int at, long bytes) {
    note("bytes in a name", bytes, MAX_NAME_BYTES, at);
  }

  void dimensions(int at, long count) {
    note("dimensions of a tensor", count, MAX_DIMENSIONS, at);
  }

  void metadata(int at, long keyBytes, long valueBytes) {
    metadataKeys++;
    metadataBytes += keyBytes + valueBytes;
    note("bytes in a text of the metadata", Math.max(keyBytes, valueBytes), MAX_TEXT_BYTES, at);
    note("bytes of metadata", metadataBytes, MAX_METADATA_BYTES, at);
    note("keys in the metadata", metadataKeys, MAX_METADATA_KEYS, at);
  }

  private void note(String what, long value, long most, int at) {
    if (problem == null && value > most) {
      problem = what;
      found = value;
      limit = most;
      position = at;
    }
  }

  /**
   * Throws an exception if a limit was exceeded.
   *
   * @throws FormatException with {@link FileError#TOO_LARGE}
   */
  void check(HeaderFile file) throws FormatException {
    if (problem != null) {
      throw FileError.TOO_LARGE.in(
          file.path(),
          "the header has %d %s, at byte %d (expected at most %d)",
          found,
          problem,
          position,
          limit);
    }
  }
}
