package org.saevhadoop.format.slice;

import java.util.List;
import org.saevhadoop.format.slice.SliceText.Index;
import org.saevhadoop.format.tensor.DType;

/**
 * The runs of a slice: byte ranges of equal length whose offsets can be computed from their
 * indexes. Each run covers a range of one dimension: the last dimension that is not selected as a
 * whole. No two runs are adjacent, because part of that dimension is omitted between them.
 *
 * @param first the offset of the first run from the beginning of the tensor, in bytes
 * @param length the length of a run in bytes
 * @param counts the number of selected indexes in each dimension that precedes the dimension of the
 *     runs
 * @param strides the distance in bytes between consecutive indexes of each of these dimensions
 * @param count the number of runs
 */
record SliceRuns(long first, long length, long[] counts, long[] strides, long count) {
  private static final SliceRuns NONE = new SliceRuns(0, 0, new long[0], new long[0], 0);

  /**
   * Returns the runs of a slice.
   *
   * @param indexes the resolved indexes, which are within their dimensions
   * @throws SliceException if the tensor does not have the slice
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

  /** Returns the offset of a run from the beginning of the tensor, in bytes. */
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
