package org.saevhadoop.format.parquet.layers;

/** The order of rows by layer, example and token: a stable merge sort of their indexes. */
final class RowSorting {
  private final long[] layers;
  private final long[] examples;
  private final long[] tokens;

  RowSorting(long[] layers, long[] examples, long[] tokens) {
    this.layers = layers;
    this.examples = examples;
    this.tokens = tokens;
  }

  /** Returns whether the rows are in order. */
  boolean isSorted() {
    for (int i = 1; i < layers.length; i++) {
      if (compare(i - 1, i) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the indexes of the rows in order. */
  int[] indexes() {
    int[] from = new int[layers.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = i;
    }
    int[] to = new int[from.length];
    for (long width = 1; width < from.length; width *= 2) {
      for (long begin = 0; begin < from.length; begin += 2 * width) {
        int middle = (int) Math.min(from.length, begin + width);
        int end = (int) Math.min(from.length, begin + 2 * width);
        merge(from, (int) begin, middle, end, to);
      }
      int[] sorted = to;
      to = from;
      from = sorted;
    }
    return from;
  }

  private void merge(int[] from, int begin, int middle, int end, int[] to) {
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      boolean isLeft = right == end || left < middle && compare(from[left], from[right]) <= 0;
      to[i] = from[isLeft ? left++ : right++];
    }
  }

  private int compare(int one, int other) {
    int byLayer = Long.compare(layers[one], layers[other]);
    int byExample = byLayer != 0 ? byLayer : Long.compare(examples[one], examples[other]);
    return byExample != 0 ? byExample : Long.compare(tokens[one], tokens[other]);
  }
}
