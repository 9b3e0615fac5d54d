package org.saevhadoop.format.samediff.sdz;

/**
 * Limits of SDZ files. Writers should respect those of nd4j's loader, which are the defaults of its
 * properties {@code nd4j.sdz.*} (SDZSerializer of deeplearning4j, commit 0db14318). Readers accept
 * more, as long as their memory is bounded.
 */
public final class SdzLimits {
  /** Maximum number of entries that nd4j loads. */
  public static final int LOADER_ENTRIES = 1000;

  /**
   * Maximum number of bytes that nd4j loads, before compression: the sum of all entries, in its
   * newest version the largest entry.
   */
  public static final long LOADER_BYTES = 10L << 30;

  /** Maximum number of entries that are read: that of a ZIP archive without ZIP64. */
  static final int MAX_ENTRIES = 0xffff;

  /** Maximum length in bytes of a central directory: 1 KiB for each of {@link #MAX_ENTRIES}. */
  static final int MAX_DIRECTORY_BYTES = 64 << 20;

  /** Maximum length in bytes of a name: NAME_MAX of Linux, as nd4j extracts entries to files. */
  static final int MAX_NAME_BYTES = 255;

  /**
   * Maximum ratio of the sizes before and after DEFLATE (RFC 1951): a match of 258 bytes takes at
   * least two bits, one for its length and one for its distance.
   */
  static final int MAX_DEFLATE_RATIO = 1032;

  private SdzLimits() {}
}
