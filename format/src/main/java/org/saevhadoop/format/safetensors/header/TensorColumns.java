package org.saevhadoop.format.safetensors.header;

import java.util.BitSet;

/**
 * The position of the name and the offsets of each tensor while a header is checked, in 20 bytes
 * per tensor. All other fields are read again from the header on access.
 */
final class TensorColumns {
  private static final int BYTES_INTS = 4;

  private final IntColumn positions = new IntColumn();

  /**
   * The offsets of each tensor's first byte and of the byte after its last one, each stored as two
   * halves.
   */
  private final IntColumn bytes = new IntColumn();

  /**
   * Adds a tensor.
   *
   * @param position the position of the opening quote of the name
   * @param sound whether the shape and the offsets agree
   */
  void add(int position, boolean sound, long begin, long end) {
    positions.add(sound ? position : ~position);
    bytes.addLong(begin);
    bytes.addLong(end);
  }

  int size() {
    return positions.size();
  }

  /**
   * Returns the positions of the names, as complements if the shape and the offsets of the tensor
   * do not agree.
   */
  IntColumn positions() {
    return positions;
  }

  int position(int i) {
    int position = positions.get(i);
    return position < 0 ? ~position : position;
  }

  boolean isSound(int i) {
    return positions.get(i) >= 0;
  }

  long begin(int i) {
    return bytes.getLong(i * BYTES_INTS);
  }

  long end(int i) {
    return bytes.getLong(i * BYTES_INTS + 2);
  }

  /** Removes the tensors whose bits are set. */
  void drop(BitSet dropped) {
    int kept = dropped.nextSetBit(0);
    for (int i = kept; i < size(); i++) {
      if (!dropped.get(i)) {
        copy(i, kept++);
      }
    }
    positions.truncate(kept);
    bytes.truncate(kept * BYTES_INTS);
  }

  private void copy(int from, int to) {
    set(to, positions.get(from), begin(from), end(from));
  }

  private void set(int i, int position, long begin, long end) {
    positions.set(i, position);
    bytes.setLong(i * BYTES_INTS, begin);
    bytes.setLong(i * BYTES_INTS + 2, end);
  }

  /** Returns whether the tensors are ordered by begin offset, then by end offset, both unsigned. */
  boolean isSorted() {
    for (int i = 1; i < size(); i++) {
      if (compare(i - 1, i) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Sorts the tensors by begin offset, then by end offset; the sort is stable. */
  void sort() {
    arrange(order());
  }

  private int compare(int a, int b) {
    int byBegin = Long.compareUnsigned(begin(a), begin(b));
    return byBegin != 0 ? byBegin : Long.compareUnsigned(end(a), end(b));
  }

  /**
   * Returns the permutation that sorts the tensors, computed by merge sort because no input makes
   * it quadratic.
   */
  private int[] order() {
    int[] order = new int[size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    int[] merged = new int[order.length];
    for (long width = 1; width < order.length; width *= 2) {
      for (long start = 0; start < order.length; start += 2 * width) {
        int middle = (int) Math.min(start + width, order.length);
        int end = (int) Math.min(start + 2 * width, order.length);
        merge(order, (int) start, middle, end, merged);
      }
      int[] swapped = order;
      order = merged;
      merged = swapped;
    }
    return order;
  }

  private void merge(int[] order, int start, int middle, int end, int[] merged) {
    int a = start;
    int b = middle;
    for (int i = start; i < end; i++) {
      boolean first = b == end || a < middle && compare(order[a], order[b]) <= 0;
      merged[i] = first ? order[a++] : order[b++];
    }
  }

  /** Permutes the tensors in place, cycle by cycle. */
  private void arrange(int[] order) {
    for (int start = 0; start < order.length; start++) {
      int position = positions.get(start);
      long begin = begin(start);
      long end = end(start);
      int to = start;
      while (order[to] != start) {
        int from = order[to];
        copy(from, to);
        order[to] = to;
        to = from;
      }
      order[to] = to;
      set(to, position, begin, end);
    }
  }
}
