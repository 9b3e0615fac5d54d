package org.saevhadoop.format.shuffle;

/**
 * The form of files of rows that wait in buckets.
 *
 * @param rowBytes the length of a row
 * @param chunkRows the maximum number of rows of a chunk
 */
public record RowFormat(Buckets buckets, int rowBytes, int chunkRows) {
  /** Large enough for a disk to read chunks in any order about as fast as in that of the file. */
  private static final int CHUNK_BYTES = 1 << 20;

  /** The smallest chunks that disks still read at a good part of their speed. */
  private static final int MIN_CHUNK_BYTES = 1 << 16;

  /**
   * Returns the form in which a task that writes files has {@code memory} bytes for its chunks, and
   * one that reads them the same for a bucket.
   *
   * @param fileRows the number of rows of a target file
   */
  public static RowFormat of(long rows, int rowBytes, long fileRows, long memory) {
    int maxRows = (int) Math.max(1, Math.min(memory, Integer.MAX_VALUE) / rowBytes);
    Buckets buckets = Buckets.of(rows, fileRows, maxRows, Math.max(1, memory / CHUNK_BYTES));
    return new RowFormat(buckets, rowBytes, chunkRows(buckets, rowBytes, memory));
  }

  private static int chunkRows(Buckets buckets, int rowBytes, long memory) {
    long bytes =
        Math.min(CHUNK_BYTES, Math.min(memory, Integer.MAX_VALUE) / Math.max(1, buckets.count()));
    return (int) Math.max(1, (bytes - RowScatter.HEAD_BYTES) / (rowBytes + Integer.BYTES));
  }

  /** Returns the length of a full chunk. */
  int chunkBytes() {
    return Math.addExact(
        RowScatter.HEAD_BYTES, Math.multiplyExact(chunkRows, rowBytes + Integer.BYTES));
  }

  /** Returns the memory that a task needs to write a file. */
  public long writingBytes() {
    return (long) buckets.count() * chunkBytes();
  }

  /** Returns whether tasks with some memory can write the chunks, of a reasonable size. */
  public boolean fits(long memory) {
    boolean large = chunkRows >= buckets.bucketRows() || chunkBytes() >= MIN_CHUNK_BYTES;
    return writingBytes() <= memory && (large || rowBytes >= MIN_CHUNK_BYTES);
  }

  /** Returns the memory with which tasks can shuffle rows. */
  public static long neededMemory(long rows, long rowBytes) {
    double chunk = Math.max(MIN_CHUNK_BYTES, rowBytes) + (double) MIN_CHUNK_BYTES;
    return (long) Math.max(rowBytes, Math.sqrt(rows * (double) rowBytes * chunk)) + 1;
  }
}
