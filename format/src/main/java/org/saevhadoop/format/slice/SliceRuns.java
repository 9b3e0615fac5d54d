package org.saevhadoop.format.slice;

import java.util.List;
import org.saevhadoop.format.slice.TensorSlice.Index;
import org.saevhadoop.format.tensor.DType;

/**
 * The runs of a slice: all of the same length, at places that follow from their number. A run is
 * the range of the last dimension that is not taken whole. No two touch, since of that dimension
 * something is left out between them.
 *
 * @param first the first run's first byte, counted from the tensor's first byte
 * @param length bytes of a run
 * @param counts how many indexes of each dimension before the run's are taken
 * @param strides bytes from one index of each of these dimensions to the next
 * @param count the number of runs
 */
record SliceRuns(long first, long length, long[] counts, long[] strides, long count) {
  private static final SliceRuns NONE = new SliceRuns(0, 0, new long[0], new long[0], 0);

  /**
   * @param indexes with their ends resolved, within the dimensions
   */
  static SliceRuns of(DType dtype, List<Long> shape, List<Index> indexes) throws SliceException {
    boolean isEmpty = indexes.stream().anyMatch(index -> index.start() == index.stop());
    if (isEmpty || shape.contains(0L)) {
      return NONE;
    }
    int cut = indexes.size() - 1;
    while (cut >= 0 && isWhole(indexes.get(cut), shape.get(cut))) {
      cut--;
    }
    long span = dtype.bits();
    for (int i = shape.size() - 1; i > cut; i--) {
      span *= shape.get(i);
    }
    if (cut < 0) {
      return new SliceRuns(0, bytes(span), new long[0], new long[0], 1);
    }
    Index run = indexes.get(cut);
    long first = bytes(run.start() * span);
    long length = bytes(run.stop() * span) - first;
    return beforeRun(shape, indexes, cut, span, first, length);
  }

  private static SliceRuns beforeRun(
      List<Long> shape, List<Index> indexes, int cut, long runSpan, long runFirst, long length)
      throws SliceException {
    long[] counts = new long[cut];
    long[] strides = new long[cut];
    long span = runSpan;
    long first = runFirst;
    long count = 1;
    for (int i = cut - 1; i >= 0; i--) {
      span *= shape.get(i + 1);
      Index index = indexes.get(i);
      counts[i] = index.stop() - index.start();
      first += bytes(index.start() * span);
      strides[i] = counts[i] > 1 ? bytes(span) : 0;
      count *= counts[i];
    }
    return new SliceRuns(first, length, counts, strides, count);
  }

  private static boolean isWhole(Index index, long size) {
    return index.start() == 0 && index.stop() == size;
  }

  private static long bytes(long bits) throws SliceException {
    if (bits % Byte.SIZE != 0) {
      throw SliceException.of(
          "MisalignedSlice: the slice begins or ends within a byte (expected whole bytes)");
    }
    return bits >>> 3;
  }

  /** Returns the first byte of a run by its number, counted from the tensor's first byte. */
  long offset(long run) {
    long offset = first;
    long left = run;
    for (int i = counts.length - 1; i >= 0; i--) {
      offset += left % counts[i] * strides[i];
      left /= counts[i];
    }
    return offset;
  }
}
