package org.saevhadoop.format.slice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.tensor.DType;

/**
 * Part of a tensor, selected along its leading dimensions, as contiguous runs of bytes. The rules
 * are those of {@code sliced_data} of the safetensors crate, whose error names begin the messages.
 * The values of a tensor are stored in row-major order.
 */
public final class TensorSlice {
  private final List<Long> shape;
  private final SliceRuns runs;

  private TensorSlice(List<Long> shape, SliceRuns runs) {
    this.shape = List.copyOf(shape);
    this.runs = runs;
  }

  /**
   * Selection in one dimension.
   *
   * @param start the first index
   * @param stop the index after the last one, or {@link #END} for the end of the dimension
   * @param isOne whether the dimension is removed from the result, as by indexing an array with one
   *     index
   */
  public record Index(long start, long stop, boolean isOne) {
    /** End of the dimension. */
    public static final long END = -1;

    /** Returns {@code Select} of the reference: one index. */
    public static Index select(long index) {
      return new Index(index, index + 1, true);
    }

    /**
     * Returns {@code Narrow} of the reference: the half-open range from {@code start} to {@code
     * stop}.
     */
    public static Index narrow(long start, long stop) {
      return new Index(start, stop, false);
    }

    /** Returns the whole dimension. */
    public static Index all() {
      return new Index(0, END, false);
    }
  }

  /**
   * Returns the slice of a tensor. As in the reference, every index must be within its dimension,
   * even the start of an empty range; consequently no range of a dimension of size 0 is valid.
   *
   * @param dtype the type of the elements of the tensor
   * @param shape the dimensions of the tensor, unsigned
   * @param indexes the indexes of the leading dimensions; the remaining dimensions are taken whole
   * @throws SliceException if the tensor does not have the slice
   */
  public static TensorSlice of(DType dtype, List<Long> shape, List<Index> indexes)
      throws SliceException {
    checkCount(indexes.size(), shape.size());
    List<Index> resolved = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      resolved.add(resolve(i, indexes.get(i), shape.get(i)));
    }
    return cut(dtype, shape, resolved);
  }

  /**
   * Parses a slice in numpy notation such as {@code 0:10,3,:,-1}: an index or a range for each
   * leading dimension. Negative numbers count from the end of the dimension; ranges are clamped to
   * it, so an empty range is valid; steps are not supported. Whitespace is ignored, and an empty
   * text selects the whole tensor.
   *
   * @throws SliceException if the tensor does not have the slice
   * @throws IllegalArgumentException if the text is not a slice
   */
  public static TensorSlice parse(String text, DType dtype, List<Long> shape)
      throws SliceException {
    return cut(dtype, shape, SliceText.indexes(text, shape));
  }

  static void checkCount(int indexes, int dimensions) throws SliceException {
    if (indexes > dimensions) {
      throw SliceException.of(
          "TooManySlices: %d indexes for a tensor of %d dimensions", indexes, dimensions);
    }
  }

  static SliceException outOfRange(int dimension, long asked, long size) {
    return SliceException.of(
        "SliceOutOfRange: index %d of dimension %d (expected less than %s)",
        asked, dimension, Long.toUnsignedString(size));
  }

  private static Index resolve(int dimension, Index index, long size) throws SliceException {
    long stop = index.stop() == Index.END ? size : index.stop();
    if (Long.compareUnsigned(index.start(), size) >= 0) {
      throw outOfRange(dimension, index.start(), size);
    }
    if (Long.compareUnsigned(stop, size) > 0) {
      throw outOfRange(dimension, stop - 1, size);
    }
    if (Long.compareUnsigned(stop, index.start()) < 0) {
      throw SliceException.of(
          "SliceOutOfRange: dimension %d ends at %d (expected no less than %d, where it begins)",
          dimension, stop, index.start());
    }
    return new Index(index.start(), stop, index.isOne());
  }

  private static TensorSlice cut(DType dtype, List<Long> shape, List<Index> indexes)
      throws SliceException {
    List<Long> left = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      if (i >= indexes.size()) {
        left.add(shape.get(i));
      } else if (!indexes.get(i).isOne()) {
        left.add(indexes.get(i).stop() - indexes.get(i).start());
      }
    }
    return new TensorSlice(left, SliceRuns.of(dtype, shape, indexes));
  }

  /** Returns the shape of the slice, without dimensions in which one index is selected. */
  public List<Long> shape() {
    return shape;
  }

  /** Returns the total length of all runs in bytes. */
  public long byteLength() {
    return runs.count() * runs.length();
  }

  /**
   * Returns the byte ranges of the slice in row-major order. No two ranges are adjacent, so a slice
   * of only the first dimension is one range; an empty slice has none. The ranges are computed
   * lazily, because they may not fit into memory.
   *
   * @param begin the offset of the first byte of the tensor
   */
  public Iterable<ByteRange> runs(long begin) {
    if (runs.count() == 0) {
      return Collections.emptyList();
    }
    return () -> new Runs(begin);
  }

  private final class Runs implements Iterator<ByteRange> {
    private final long begin;
    private long next;

    Runs(long begin) {
      this.begin = begin;
    }

    @Override
    public boolean hasNext() {
      return next < runs.count();
    }

    @Override
    public ByteRange next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return new ByteRange(begin + runs.offset(next++), runs.length());
    }
  }
}
