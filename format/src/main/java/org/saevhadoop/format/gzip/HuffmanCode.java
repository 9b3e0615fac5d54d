package org.saevhadoop.format.gzip;

import java.util.Arrays;

/** A Huffman code as defined for deflate in RFC 1951, section 3.2.2. Instances are reusable. */
final class HuffmanCode {
  private static final int SYMBOL_BITS = 9;
  private static final int SYMBOL = (1 << SYMBOL_BITS) - 1;

  private final int longest;
  private final int[] lengths;
  private final int[] codes;
  private final long[] byCount;
  private final long[] weights;
  private final int[] parents;
  private final int[] ofLength;

  /**
   * Creates an instance.
   *
   * @param symbols the number of symbols
   * @param longest the maximum code length in bits
   */
  HuffmanCode(int symbols, int longest) {
    this.longest = longest;
    lengths = new int[symbols];
    codes = new int[symbols];
    byCount = new long[symbols];
    weights = new long[2 * symbols];
    parents = new int[2 * symbols];
    ofLength = new int[symbols];
  }

  /** Returns the code length of a symbol in bits; 0 if it does not occur. */
  int length(int symbol) {
    return lengths[symbol];
  }

  /** Returns the code of a symbol, with the first bit in the lowest position. */
  int code(int symbol) {
    return codes[symbol];
  }

  /** Builds the code from the frequencies of the symbols; at least two must be positive. */
  void build(int[] counts) {
    int used = 0;
    for (int symbol = 0; symbol < lengths.length; symbol++) {
      if (counts[symbol] > 0) {
        byCount[used++] = (long) counts[symbol] << SYMBOL_BITS | symbol;
      }
    }
    Arrays.sort(byCount, 0, used);
    countLengths(used);
    limitLengths();
    Arrays.fill(lengths, 0);
    int next = used;
    for (int length = 1; length <= longest; length++) {
      for (int i = 0; i < ofLength[length]; i++) {
        lengths[(int) byCount[--next] & SYMBOL] = length;
      }
    }
    assignCodes();
  }

  /** Builds the Huffman tree from leaves and inner nodes in ascending order of weight. */
  private void countLengths(int used) {
    int nodes = 2 * used - 1;
    int leaf = 0;
    int inner = used;
    for (int node = used; node < nodes; node++) {
      weights[node] = 0;
      for (int child = 0; child < 2; child++) {
        boolean isLeaf =
            leaf < used && (inner == node || byCount[leaf] >>> SYMBOL_BITS <= weights[inner]);
        weights[node] += isLeaf ? byCount[leaf] >>> SYMBOL_BITS : weights[inner];
        parents[isLeaf ? leaf++ : inner++] = node;
      }
    }
    Arrays.fill(ofLength, 0);
    weights[nodes - 1] = 0; // From here on the values are depths.
    for (int node = nodes - 2; node >= 0; node--) {
      weights[node] = weights[parents[node]] + 1;
      if (node < used) {
        ofLength[(int) weights[node]]++;
      }
    }
  }

  /** Shortens the longest codes and lengthens as few other codes as necessary. */
  private void limitLengths() {
    long room = 1L << longest;
    for (int length = 1; length < ofLength.length; length++) {
      if (length > longest) {
        ofLength[longest] += ofLength[length];
        ofLength[length] = 0;
      }
    }
    for (int length = 1; length <= longest; length++) {
      room -= (long) ofLength[length] << longest - length;
    }
    for (; room < 0; room++) {
      int length = longest - 1;
      while (ofLength[length] == 0) {
        length--;
      }
      ofLength[length]--;
      ofLength[length + 1] += 2;
      ofLength[longest]--;
    }
  }

  private void assignCodes() {
    int[] next = new int[longest + 1];
    for (int length = 2; length <= longest; length++) {
      next[length] = next[length - 1] + ofLength[length - 1] << 1;
    }
    for (int symbol = 0; symbol < lengths.length; symbol++) {
      int length = lengths[symbol];
      if (length > 0) {
        codes[symbol] = Integer.reverse(next[length]++) >>> Integer.SIZE - length;
      }
    }
  }
}
