package org.saevhadoop.format.samples;

import org.saevhadoop.format.api.PublicApi;

/**
 * Half-open range of token positions in a sample.
 *
 * @param start the position of the first token
 * @param stop the position after the last token
 */
@PublicApi
public record TokenRange(int start, int stop) {
  public TokenRange {
    if (start < 0 || stop <= start) {
      throw new IllegalArgumentException("no token is in " + start + ":" + stop);
    }
  }

  /** Returns the number of tokens in the range. */
  public int length() {
    return stop - start;
  }
}
