package org.saevhadoop.format.safetensors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.saevhadoop.format.dataset.ByteRange;

/**
 * A part of a tensor, cut out along its leading dimensions, as runs of bytes that lie together. The
 * rules are those of the reference's {@code sliced_data}; its names of errors begin the messages.
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
   * The slice of a tensor. As in the reference, an index must lie in its dimension, even the first
   * of an empty range; hence no range of a dimension of 0 is valid.
   *
   * @param indexes of the leading dimensions; the others are taken whole
   * @throws IllegalArgumentException beginning with {@code TooManySlices}; {@code SliceOutOfRange},
   *     also where a range ends before it begins; or {@code MisalignedSlice}, where elements of a
   *     packed type begin or end within a byte of a slice that is not empty
   */
  public static TensorSlice of(Tensor tensor, List<Index> indexes) {
    List<Long> shape = tensor.shape();
    checkCount(indexes.size(), shape.size());
    List<Index> resolved = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      resolved.add(resolve(i, indexes.get(i), shape.get(i)));
    }
    return cut(tensor, resolved);
  }

  /**
   * The slice that numpy's text for it means, such as {@code 0:10,3,:,-1}: for each leading
   * dimension an index or a range. Negative numbers count from the dimension's end, and ranges are
   * cut off at its ends, so that an empty one is valid; there are no steps. Blanks do not count,
   * and an empty text is the whole tensor.
   *
   * @throws IllegalArgumentException as {@link #of} does, and for other text
   */
  public static TensorSlice parse(String text, Tensor tensor) {
    return cut(tensor, SliceText.indexes(text, tensor.shape()));
  }

  static void checkCount(int indexes, int dimensions) {
    if (indexes > dimensions) {
      throw new IllegalArgumentException(
          String.format(
              "TooManySlices: %d indexes for a tensor of %d dimensions", indexes, dimensions));
    }
  }

  static IllegalArgumentException outOfRange(int dimension, long asked, long size) {
    return new IllegalArgumentException(
        String.format(
            "SliceOutOfRange: index %d of dimension %d (expected less than %s)",
            asked, dimension, Long.toUnsignedString(size)));
  }

  private static Index resolve(int dimension, Index index, long size) {
    long stop = index.stop() == Index.END ? size : index.stop();
    if (Long.compareUnsigned(index.start(), size) >= 0) {
      throw outOfRange(dimension, index.start(), size);
    }
    if (Long.compareUnsigned(stop, size) > 0) {
      throw outOfRange(dimension, stop - 1, size);
    }
    if (Long.compareUnsigned(stop, index.start()) < 0) {
      throw new IllegalArgumentException(
          String.format(
              "SliceOutOfRange: dimension %d ends at %d (expected no less than %d, where it"
                  + " begins)",
              dimension, stop, index.start()));
    }
    return new Index(index.start(), stop, index.isOne());
  }

  private static TensorSlice cut(Tensor tensor, List<Index> indexes) {
    List<Long> shape = new ArrayList<>();
    for (int i = 0; i < tensor.shape().size(); i++) {
      if (i >= indexes.size()) {
        shape.add(tensor.shape().get(i));
      } else if (!indexes.get(i).isOne()) {
        shape.add(indexes.get(i).stop() - indexes.get(i).start());
      }
    }
    return new TensorSlice(shape, SliceRuns.of(tensor, indexes));
  }

  /** Elements per dimension; dimensions of which one index is taken are not among them. */
  public List<Long> shape() {
    return shape;
  }

  /** Bytes of all runs. */
  public long byteLength() {
    return runs.count() * runs.length();
  }

  /** How many runs there are. */
  public long runCount() {
    return runs.count();
  }

  /**
   * The slice's bytes in row-major order. Runs do not touch each other, so that a slice of only the
   * first dimension is one run; an empty slice has none. They are made one by one: there may be far
   * more than memory holds.
   *
   * @param dataStart the byte of the file that offsets are to count from: {@link
   *     SafetensorsHeader#dataStart()} for offsets in the file, 0 for offsets in the data
   */
  public Iterable<ByteRange> runs(long dataStart) {
    if (runs.count() == 0) {
      return Collections.emptyList();
    }
    return () -> new Runs(dataStart);
  }

  private final class Runs implements Iterator<ByteRange> {
    private final long dataStart;
    private long next;

    Runs(long dataStart) {
      this.dataStart = dataStart;
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
      return new ByteRange(dataStart + runs.offset(next++), runs.length());
    }
  }
}
