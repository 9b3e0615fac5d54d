package org.saevhadoop.format.shuffle;

import org.saevhadoop.format.io.Quote;

/**
 * The division of the rows of a shuffled dataset into buckets that fit in the memory of a task. A
 * bucket contains rows of two target files only if it contains all of their rows.
 *
 * @param rows the number of rows
 * @param sectionRows the number of rows in a section, which consists of one or more whole target
 *     files
 * @param bucketRows the maximum number of rows of a bucket
 */
public record Buckets(long rows, long sectionRows, int bucketRows) {
  public Buckets {
    if (rows < 0 || bucketRows < 1 || sectionRows < bucketRows) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "no buckets of %d of %d rows divide sections of %d", bucketRows, rows, sectionRows));
    }
  }

  /**
   * Divides rows.
   *
   * @param fileRows the number of rows of a target file
   * @param maxRows the maximum number of rows of a bucket
   * @param maxBuckets the number of buckets above which small files share a bucket
   */
  public static Buckets of(long rows, long fileRows, int maxRows, long maxBuckets) {
    long file = Math.max(1, Math.min(fileRows, rows));
    if (file >= maxRows) {
      long parts = (file - 1) / maxRows + 1;
      return new Buckets(rows, file, Math.toIntExact((file - 1) / parts + 1));
    }
    long files = (rows - 1) / file + 1;
    long joined = Math.max(1, Math.min((files - 1) / maxBuckets + 1, maxRows / file));
    return new Buckets(rows, file * joined, Math.toIntExact(file * joined));
  }

  private long bucketsOfSection() {
    return (sectionRows - 1) / bucketRows + 1;
  }

  /** Returns the number of buckets. */
  public int count() {
    return rows == 0 ? 0 : of(rows - 1) + 1;
  }

  /** Returns the bucket that contains a row. */
  public int of(long row) {
    return Math.toIntExact(row / sectionRows * bucketsOfSection() + row % sectionRows / bucketRows);
  }

  /** Returns the first row of a bucket. */
  public long first(int bucket) {
    return bucket / bucketsOfSection() * sectionRows + bucket % bucketsOfSection() * bucketRows;
  }

  /** Returns the number of rows of a bucket. */
  public int rows(int bucket) {
    long sectionEnd = (bucket / bucketsOfSection() + 1) * sectionRows;
    long first = first(bucket);
    return (int) Math.min(Math.min(bucketRows, sectionEnd - first), rows - first);
  }
}
