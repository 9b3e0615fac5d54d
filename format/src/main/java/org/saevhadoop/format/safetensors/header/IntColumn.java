package org.saevhadoop.format.safetensors.header;

import java.util.Arrays;

/**
 * A growing list of {@code int} values. It grows in chunks, because copying a list of millions of
 * values as a whole takes two or three times its memory.
 */
final class IntColumn {
  private static final int SHIFT = 14;
  private static final int CHUNK = 1 << SHIFT;

  private int[][] chunks = {new int[8]};
  private int size;

  int size() {
    return size;
  }

  int get(int i) {
    return chunks[i >>> SHIFT][i & CHUNK - 1];
  }

  void set(int i, int value) {
    chunks[i >>> SHIFT][i & CHUNK - 1] = value;
  }

  void add(int value) {
    int chunk = size >>> SHIFT;
    if (chunk == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunk * 2);
    }
    int[] last = chunks[chunk];
    if (last == null) {
      chunks[chunk] = new int[CHUNK];
    } else if ((size & CHUNK - 1) == last.length) {
      chunks[chunk] = Arrays.copyOf(last, last.length * 2);
    }
    set(size++, value);
  }

  long getLong(int i) {
    return (long) get(i) << Integer.SIZE | Integer.toUnsignedLong(get(i + 1));
  }

  void setLong(int i, long value) {
    set(i, (int) (value >>> Integer.SIZE));
    set(i + 1, (int) value);
  }

  void addLong(long value) {
    add((int) (value >>> Integer.SIZE));
    add((int) value);
  }

  /** Removes all values from index {@code length} onward. */
  void truncate(int length) {
    size = length;
  }
}
