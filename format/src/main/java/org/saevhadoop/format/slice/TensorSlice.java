package org.saevhadoop.format.slice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.tensor.DType;

/**
 * A part of a tensor, cut out along its leading dimensions, as runs of bytes that lie together. The
 * rules are those of {@code sliced_data} of the safetensors crate, whose names of errors begin the
 * messages. The values of a tensor lie in row-major order.
 */
public final class TensorSlice {
  private final List<Long> shape;
  private final SliceRuns runs;

  private TensorSlice(List<Long> shape, SliceRuns runs) {
    this.shape = List.copyOf(shape);
    this.runs = runs;
  }

  /**
   * What to take of one dimension.
   *
   * @param start the first index
   * @param stop the index after the last; {@link #END} for the dimension's end
   * @param isOne whether the dimension vanishes from the result, as one index of an array does
   */
  public record Index(long start, long stop, boolean isOne) {
    /** Up to the end of the dimension. */
    public static final long END = -1;

    /** The reference's {@code Select}. */
    public static Index select(long index) {
      return new Index(index, index + 1, true);
    }

    /** The reference's {@code Narrow}, from {@code start} to before {@code stop}. */
    public static Index narrow(long start, long stop) {
      return new Index(start, stop, false);
    }

    /** The whole dimension. */
    public static Index all() {
      return new Index(0, END, false);
    }
  }

  /**
   * Returns the slice of a tensor. As in the reference, an index must lie in its dimension, even
   * the first of an empty range; hence no range of a dimension of 0 is valid.
   *
   * @param dtype the type of the tensor's elements
   * @param shape its dimensions, unsigned
   * @param indexes of the leading dimensions; the others are taken whole
   * @throws SliceException if the tensor does not have it
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
   * Returns the slice that numpy's text for it means, such as {@code 0:10,3,:,-1}: for each leading
   * dimension an index or a range. Negative numbers count from the dimension's end, and ranges are
   * cut off at its ends, so that an empty one is valid; there are no steps. Blanks do not count,
   * and an empty text is the whole tensor.
   *
   * @throws SliceException if the tensor does not have it
   * @throws IllegalArgumentException if the text is no slice
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

  /** Returns the elements per dimension, without dimensions of which one index is taken. */
  public List<Long> shape() {
    return shape;
  }

  /** Returns the bytes of all runs. */
  public long byteLength() {
    return runs.count() * runs.length();
  }

  /**
   * Returns the slice's bytes in row-major order. Runs do not touch each other, so that a slice of
   * only the first dimension is one run; an empty slice has none. They are made one by one: there
   * may be far more than memory holds.
   *
   * @param begin the offset of the tensor's first byte
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
