package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies an array of any order to C order. It processes boxes that are contiguous in C order one by
 * one, and reads the elements of a box in runs that are as long as the storage order of the array
 * allows.
 */
final class StridedCopy {
  /** Positional reader of the bytes of an array. */
  interface Reader {
    void read(long at, ByteBuffer dst) throws IOException;
  }

  /** Number of bytes that can be read in the time that it takes to start a read. */
  private static final int READ_COST = 4096;

  private final Reader reader;
  private final ByteBuffer out;
  private final ByteBuffer scratch;
  private final int itemSize;
  private final int dimensions;
  private final long[] shape;

  /** Dimension in C order for each position in the storage order, slowest first. */
  private final int[] dimensionAt;

  /** Stride in elements for each position in the storage order. */
  private final long[] strides;

  /** Start of the current box in each dimension; {@code counts} is its size. */
  private final long[] begins;

  private final long[] counts;
  private final long[] outStrides;

  /**
   * Creates a copier.
   *
   * @param out the buffer for output
   * @param scratch the buffer for input
   */
  StridedCopy(PythonValue.NumpyArray array, Reader reader, ByteBuffer out, ByteBuffer scratch) {
    this.reader = reader;
    this.out = out.order(ByteOrder.nativeOrder());
    this.scratch = scratch.order(ByteOrder.nativeOrder());
    itemSize = array.type().itemSize();
    shape = array.shape();
    dimensions = shape.length;
    dimensionAt = new int[dimensions];
    int[] axes = array.axes();
    for (int dimension = 0; dimension < dimensions; dimension++) {
      dimensionAt[axes[dimension]] = dimension;
    }
    strides = new long[dimensions];
    long stride = 1;
    for (int rank = dimensions - 1; rank >= 0; rank--) {
      strides[rank] = stride;
      stride *= shape[dimensionAt[rank]];
    }
    begins = new long[dimensions];
    counts = new long[dimensions];
    outStrides = new long[dimensions];
  }

  void copy(ArrayBytes.Sink sink) throws IOException {
    int cut = dimensions - 1;
    long row = itemSize;
    while (cut > 0 && row * shape[cut] <= out.capacity()) {
      row *= shape[cut--];
    }
    for (int dimension = 0; dimension < dimensions; dimension++) {
      counts[dimension] = dimension < cut ? 1 : shape[dimension];
    }
    long step = Math.min(shape[cut], out.capacity() / row);
    do {
      for (begins[cut] = 0; begins[cut] < shape[cut]; begins[cut] += step) {
        counts[cut] = Math.min(step, shape[cut] - begins[cut]);
        copyBox(sink);
      }
      begins[cut] = 0;
    } while (advance(cut));
  }

  /** Advances to the next index of the dimensions before the cut; returns false at the end. */
  private boolean advance(int cut) {
    for (int dimension = cut - 1; dimension >= 0; dimension--) {
      if (++begins[dimension] < shape[dimension]) {
        return true;
      }
      begins[dimension] = 0;
    }
    return false;
  }

  private void copyBox(ArrayBytes.Sink sink) throws IOException {
    long stride = 1;
    for (int dimension = dimensions - 1; dimension >= 0; dimension--) {
      outStrides[dimension] = stride;
      stride *= counts[dimension];
    }
    long begin = 0;
    for (int rank = 0; rank < dimensions; rank++) {
      begin += begins[dimensionAt[rank]] * strides[rank];
    }
    out.clear().limit((int) stride * itemSize);
    readDimension(0, begin, 0);
    sink.take(out);
  }

  /**
   * Reads the dimensions of the box, starting at position {@code rank} in the storage order, in one
   * read if that is efficient.
   */
  private void readDimension(int rank, long from, int to) throws IOException {
    if (rank == dimensions - 1) {
      readRuns(from, to);
      return;
    }
    long span = 1;
    long useful = 1;
    for (int p = rank; p < dimensions; p++) {
      span += (counts[dimensionAt[p]] - 1) * strides[p];
      useful *= counts[dimensionAt[p]];
    }
    if (span <= scratch.capacity() / itemSize
        && (span <= 2 * useful || span * itemSize <= useful * READ_COST)) {
      scratch.clear().limit((int) span * itemSize);
      reader.read(from * itemSize, scratch);
      scatter(rank, 0, to);
      return;
    }
    int dimension = dimensionAt[rank];
    for (long i = 0; i < counts[dimension]; i++) {
      readDimension(rank + 1, from + i * strides[rank], to + (int) (i * outStrides[dimension]));
    }
  }

  private void readRuns(long from, int to) throws IOException {
    int dimension = dimensionAt[dimensions - 1];
    int room = scratch.capacity() / itemSize;
    for (long i = 0; i < counts[dimension]; i += room) {
      int count = (int) Math.min(room, counts[dimension] - i);
      scratch.clear().limit(count * itemSize);
      reader.read((from + i) * itemSize, scratch);
      scatterRun(count, 0, to + (int) (i * outStrides[dimension]));
    }
  }

  private void scatter(int rank, int from, int to) {
    int dimension = dimensionAt[rank];
    int count = (int) counts[dimension];
    if (rank == dimensions - 1) {
      scatterRun(count, from, to);
      return;
    }
    for (int i = 0; i < count; i++) {
      scatter(rank + 1, from + i * (int) strides[rank], to + i * (int) outStrides[dimension]);
    }
  }

  private void scatterRun(int count, int from, int to) {
    int step = (int) outStrides[dimensionAt[dimensions - 1]];
    for (int i = 0; i < count; i++) {
      copyItem((from + i) * itemSize, (to + i * step) * itemSize);
    }
  }

  private void copyItem(int from, int to) {
    switch (itemSize) {
      case 1 -> out.put(to, scratch.get(from));
      case Short.BYTES -> out.putShort(to, scratch.getShort(from));
      case Integer.BYTES -> out.putInt(to, scratch.getInt(from));
      case Long.BYTES -> out.putLong(to, scratch.getLong(from));
      default -> out.put(to, scratch, from, itemSize);
    }
  }
}
