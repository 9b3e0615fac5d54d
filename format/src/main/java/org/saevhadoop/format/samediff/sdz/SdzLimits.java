package org.saevhadoop.format.samediff.sdz;

/**
 * Limits of nd4j's loader, which writers should respect: the defaults of its properties {@code
 * nd4j.sdz.*} (SDZSerializer of deeplearning4j, commit 0db14318). Readers accept more, as long as
 * their memory is bounded.
 */
public final class SdzLimits {
  /** Maximum number of entries that nd4j loads. */
  public static final int LOADER_ENTRIES = 1000;

  /**
   * Maximum number of bytes that nd4j loads, before compression: the sum of all entries, in its
   * newest version the largest entry.
   */
  public static final long LOADER_BYTES = 10L << 30;

  private SdzLimits() {}
}
