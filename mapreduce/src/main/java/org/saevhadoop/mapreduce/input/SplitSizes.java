package org.saevhadoop.mapreduce.input;

/**
 * What a job allows.
 *
 * @param min bytes that a split should have at least
 * @param max bytes that it should have at most
 */
record SplitSizes(long min, long max) {
  /** Returns how many bytes a split should have where a storage block has {@code block}. */
  long goal(long block) {
    return Math.max(min, Math.min(max, block));
  }
}
