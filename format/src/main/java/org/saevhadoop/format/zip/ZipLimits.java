package org.saevhadoop.format.zip;

/** Limits that bound the memory and the time in which any archive is opened or refused. */
final class ZipLimits {
  /** Maximum number of entries that are read: that of a ZIP archive without ZIP64. */
  static final int MAX_ENTRIES = 0xffff;

  /** Maximum length in bytes of a central directory: 1 KiB for each of {@link #MAX_ENTRIES}. */
  static final int MAX_DIRECTORY_BYTES = 64 << 20;

  /**
   * Maximum ratio of the sizes before and after DEFLATE (RFC 1951): a match of 258 bytes takes at
   * least two bits, one for its length and one for its distance.
   */
  static final int MAX_DEFLATE_RATIO = 1032;

  private ZipLimits() {}
}
