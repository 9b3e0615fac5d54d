package org.saevhadoop.format.pickleshards.unpacked;

/**
 * The samples whose home is one part.
 *
 * @param lines the lines of their metadata, in ascending order
 * @param addresses the addresses of their blocks, {@code [sample, layer]}
 */
record PartAddresses(int[] lines, long[] tokens, long[] addresses) {
  int samples() {
    return lines.length;
  }

  /**
   * Returns the number of the first token of each sample, followed by the total number of tokens.
   */
  static long[] firstTokens(long[] tokens) {
    long[] first = new long[tokens.length + 1];
    for (int i = 0; i < tokens.length; i++) {
      first[i + 1] = first[i] + tokens[i];
    }
    return first;
  }
}
