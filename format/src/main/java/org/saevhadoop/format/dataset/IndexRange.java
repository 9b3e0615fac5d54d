package org.saevhadoop.format.dataset;

import org.saevhadoop.format.api.PublicApi;

/**
 * Half-open range of indexes.
 *
 * @param start the first index
 * @param stop the index after the last one
 */
@PublicApi
public record IndexRange(long start, long stop) {
  public IndexRange {
    if (start < 0 || stop <= start) {
      throw new IllegalArgumentException("no index is in " + start + ":" + stop);
    }
  }

  /** Returns the number of indexes. */
  public long length() {
    return stop - start;
  }

  @Override
  public String toString() {
    return start + ":" + stop;
  }
}
