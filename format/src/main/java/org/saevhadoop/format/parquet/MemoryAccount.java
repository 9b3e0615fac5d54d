package org.saevhadoop.format.parquet;

/** Estimated memory that is in use, and its limit. */
final class MemoryAccount {
  // estimates in bytes for a JVM with compressed pointers, rounded up
  static final int NUMBER = 24;
  static final int BYTES = 24;
  static final int LIST = 48;
  static final int STRUCT = 40; // with an array of fields
  static final int FIELD = 4;
  static final int CHUNK = 192;
  static final int PAGE = 40;

  private final long limit;
  private final String what;
  private long used;

  /**
   * Creates an account.
   *
   * @param what the noun for the data that need the memory
   */
  MemoryAccount(long limit, String what) {
    this.limit = limit;
    this.what = what;
  }

  /**
   * Charges memory before it is allocated.
   *
   * @throws IndexLimits.Exceeded if there is not enough
   */
  void take(long bytes) {
    used += bytes;
    if (used > limit) {
      throw new IndexLimits.Exceeded("needs more memory than there is for " + what, limit);
    }
  }

  /** Credits memory that is no longer in use. */
  void release(long bytes) {
    used -= bytes;
  }
}
