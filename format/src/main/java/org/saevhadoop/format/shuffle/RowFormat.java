package org.saevhadoop.format.shuffle;

import java.util.ArrayList;
import java.util.List;

/**
 * The form of files of rows that wait in buckets.
 *
 * @param rowBytes the length of a row
 * @param chunkRows the maximum number of rows of a chunk
 */
public record RowFormat(Buckets buckets, int rowBytes, int chunkRows) {
  /** Large enough for a disk to read chunks in any order about as fast as sequentially. */
  private static final int CHUNK_BYTES = 1 << 20;

  /** The smallest chunks that disks still read at a good part of their speed. */
  private static final int MIN_CHUNK_BYTES = 1 << 16;

  /**
   * Returns the form in which a task that writes files has {@code memory} bytes for its chunks, and
   * a task that reads them has as many for a bucket.
   *
   * @param fileRows the number of rows of a target file
   */
  public static RowFormat of(long rows, int rowBytes, long fileRows, long memory) {
    return of(List.of(new Files(rows, fileRows)), rowBytes, memory).get(0);
  }

  /**
   * The target files of a dataset.
   *
   * @param rows the number of its rows
   * @param fileRows the number of rows of a file
   */
  public record Files(long rows, long fileRows) {}

  /**
   * Returns the forms in which a task that writes a file for each of several datasets has {@code
   * memory} bytes for all chunks, and a task that reads them has as many for a bucket.
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

  /** Returns whether tasks with some memory can write the chunks of several files at once. */
  public static boolean fit(List<RowFormat> files, long memory) {
    return files.stream().allMatch(file -> file.fits(memory))
        && files.stream().mapToLong(RowFormat::writingBytes).sum() <= memory;
  }

  /** Returns the memory with which tasks can shuffle rows. */
  public static long neededMemory(long rows, long rowBytes) {
    double chunk = Math.max(MIN_CHUNK_BYTES, rowBytes) + (double) MIN_CHUNK_BYTES;
    return (long) Math.max(rowBytes, Math.sqrt(rows * (double) rowBytes * chunk)) + 1;
  }
}
