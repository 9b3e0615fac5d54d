package org.saevhadoop.mapreduce.input;

/**
 * The permitted sizes of a job's splits.
 *
 * @param min the minimum size of a split in bytes
 * @param max the maximum size of a split in bytes
 */
record SplitSizes(long min, long max) {
  /** Returns the target size of a split in bytes, given the size of a storage block. */
  long goal(long block) {
    return Math.max(min, Math.min(max, block));
  }
}
