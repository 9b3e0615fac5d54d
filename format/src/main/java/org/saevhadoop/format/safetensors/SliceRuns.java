package org.saevhadoop.format.safetensors;

import java.util.List;
import org.saevhadoop.format.safetensors.TensorSlice.Index;

/**
 * The runs of a slice: all of the same length, at places that follow from their number. A run is
 * the range of the last dimension that is not taken whole. No two touch, since of that dimension
 * something is left out between them.
 *
 * @param first the first run's first byte, counted from the start of the data
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
  static SliceRuns of(Tensor tensor, List<Index> indexes) {
    List<Long> shape = tensor.shape();
    boolean isEmpty = indexes.stream().anyMatch(index -> index.start() == index.stop());
    if (isEmpty || tensor.byteLength() == 0) {
      return NONE;
    }
    int cut = indexes.size() - 1;
    while (cut >= 0 && isWhole(indexes.get(cut), shape.get(cut))) {
      cut--;
    }
    long span = tensor.dtype().bits();
    for (int i = shape.size() - 1; i > cut; i--) {
      span *= shape.get(i);
    }
    if (cut < 0) {
      return new SliceRuns(tensor.begin(), tensor.byteLength(), new long[0], new long[0], 1);
    }
    Index run = indexes.get(cut);
    long first = bytes(run.start() * span);
    long length = bytes(run.stop() * span) - first;
    return beforeRun(tensor, indexes, cut, span, first, length);
  }

  private static SliceRuns beforeRun(
      Tensor tensor, List<Index> indexes, int cut, long runSpan, long runFirst, long length) {
    long[] counts = new long[cut];
    long[] strides = new long[cut];
    long span = runSpan;
    long first = runFirst;
    long count = 1;
    for (int i = cut - 1; i >= 0; i--) {
      span *= tensor.shape().get(i + 1);
      Index index = indexes.get(i);
      counts[i] = index.stop() - index.start();
      first += bytes(index.start() * span);
      strides[i] = counts[i] > 1 ? bytes(span) : 0;
      count *= counts[i];
    }
    return new SliceRuns(tensor.begin() + first, length, counts, strides, count);
  }

  private static boolean isWhole(Index index, long size) {
    return index.start() == 0 && index.stop() == size;
  }

  private static long bytes(long bits) {
    if (bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException(
          "MisalignedSlice: the slice begins or ends within a byte (expected whole bytes)");
    }
    return bits >>> 3;
  }

  /** The first byte of a run by its number, counted from the start of the data. */
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
