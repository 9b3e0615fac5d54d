package org.saevhadoop.format.shuffle;

import java.util.ArrayList;
import java.util.List;

/**
 * The format of files that contain rows in buckets.
 *
 * @param rowBytes the length of a row
 * @param chunkRows the maximum number of rows of a chunk
 */
public record RowFormat(Buckets buckets, int rowBytes, int chunkRows) {
  /**
   * Size of a chunk, large enough for a disk to read chunks in any order about as fast as
   * sequentially.
   */
  private static final int CHUNK_BYTES = 1 << 20;

  /**
   * Size of the smallest chunks that disks can read at a reasonable fraction of their sequential
   * speed.
   */
  private static final int MIN_CHUNK_BYTES = 1 << 16;

  /**
   * Returns the format for tasks with {@code memory} bytes of memory: the chunks of a task that
   * writes a file fit into this memory, as does a bucket of a task that reads the files.
   *
   * @param fileRows the number of rows of a target file
   */
  public static RowFormat of(long rows, int rowBytes, long fileRows, long memory) {
    return of(List.of(new Files(rows, fileRows)), rowBytes, memory).get(0);
  }

  /**
   * The target files of a dataset.
   *
   * @param rows the number of rows of the dataset
   * @param fileRows the number of rows of a file
   */
  public record Files(long rows, long fileRows) {}

  /**
   * Returns the format of each dataset. The chunks that one task writes for all datasets together
   * fit into {@code memory} bytes; so does one bucket that a task reads.
   */
  public static List<RowFormat> of(List<Files> datasets, int rowBytes, long memory) {
    int maxRows = (int) Math.max(1, Math.min(memory, Integer.MAX_VALUE) / rowBytes);
    double all = Math.max(1, datasets.stream().mapToDouble(Files::rows).sum());
    List<Buckets> divided = new ArrayList<>();
    for (Files files : datasets) {
      long maxBuckets = Math.max(1, (long) (memory / CHUNK_BYTES * (files.rows / all)));
      divided.add(Buckets.of(files.rows, files.fileRows, maxRows, maxBuckets));
    }
    long count = divided.stream().mapToLong(Buckets::count).sum();
    int chunkRows = chunkRows(count, rowBytes, memory);
    return divided.stream().map(buckets -> new RowFormat(buckets, rowBytes, chunkRows)).toList();
  }

  private static int chunkRows(long buckets, int rowBytes, long memory) {
    long bytes = Math.min(CHUNK_BYTES, Math.min(memory, Integer.MAX_VALUE) / Math.max(1, buckets));
    return (int) Math.max(1, (bytes - RowScatter.HEAD_BYTES) / (rowBytes + Integer.BYTES));
  }

  int chunkBytes() {
    return Math.addExact(
        RowScatter.HEAD_BYTES, Math.multiplyExact(chunkRows, rowBytes + Integer.BYTES));
  }

  /** Returns the memory that a task needs to write a file. */
  public long writingBytes() {
    return (long) buckets.count() * chunkBytes();
  }

  /** Returns whether tasks with this memory can write chunks of a reasonable size. */
  public boolean fits(long memory) {
    boolean large = chunkRows >= buckets.bucketRows() || chunkBytes() >= MIN_CHUNK_BYTES;
    return writingBytes() <= memory && (large || rowBytes >= MIN_CHUNK_BYTES);
  }

  /**
   * Returns whether tasks with this memory can write several files simultaneously, in chunks of a
   * reasonable size.
   */
  public static boolean fit(List<RowFormat> files, long memory) {
    return files.stream().allMatch(file -> file.fits(memory))
        && files.stream().mapToLong(RowFormat::writingBytes).sum() <= memory;
  }

  /** Returns the memory that each task needs to shuffle rows. */
  public static long neededMemory(long rows, long rowBytes) {
    double chunk = Math.max(MIN_CHUNK_BYTES, rowBytes) + (double) MIN_CHUNK_BYTES;
    return (long) Math.max(rowBytes, Math.sqrt(rows * (double) rowBytes * chunk)) + 1;
  }
}
