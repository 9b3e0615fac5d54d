package org.saevhadoop.format.parquet.file;

/** The estimated memory in use, and its limit. */
public final class MemoryAccount {
  // estimates in bytes for a JVM with compressed pointers, rounded up
  public static final int NUMBER = 24;
  public static final int BYTES = 24;
  public static final int LIST = 48;
  public static final int STRUCT = 40; // including its array of fields
  public static final int FIELD = 4;
  public static final int CHUNK = 192;
  public static final int PAGE = 40;

  private final long limit;
  private final String what;
  private long used;

  /**
   * Creates an account.
   *
   * @param what a noun phrase for the data that need the memory, for messages
   */
  public MemoryAccount(long limit, String what) {
    this.limit = limit;
    this.what = what;
  }

  /**
   * Charges memory before it is allocated.
   *
   * @throws ParquetLimits.Exceeded if there is not enough memory
   */
  public void take(long bytes) {
    used += bytes;
    if (used > limit) {
      throw new ParquetLimits.Exceeded("needs more memory than is available for " + what, limit);
    }
  }

  /** Credits memory that is no longer in use. */
  public void release(long bytes) {
    used -= bytes;
  }
}
