package org.saevhadoop.format.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.slice.SliceText.Index;
import org.saevhadoop.format.tensor.DType;

/**
 * A part of a tensor, selected along its leading dimensions, as contiguous runs of bytes. The
 * values of a tensor are stored in row-major order.
 */
public final class TensorSlice {
  private final List<Long> shape;
  private final SliceRuns runs;

  private TensorSlice(List<Long> shape, SliceRuns runs) {
    this.shape = List.copyOf(shape);
    this.runs = runs;
  }

  /**
   * Parses a slice in numpy notation such as {@code 0:10,3,:,-1}: an index or a range for each
   * leading dimension. Negative numbers count from the end of the dimension; ranges are clamped to
   * it, so an empty range is valid; steps are not supported. Whitespace is ignored, and empty text
   * selects the whole tensor.
   *
   * @throws SliceException if the tensor does not have the slice
   * @throws IllegalArgumentException if the text is not a valid slice
   */
  public static TensorSlice parse(String text, DType dtype, List<Long> shape)
      throws SliceException {
    List<Index> indexes = SliceText.indexes(text, shape);
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

  /** Returns the shape of the slice, without the dimensions in which a single index is selected. */
  public List<Long> shape() {
    return shape;
  }

  /** Returns the total length of all runs in bytes. */
  public long byteLength() {
    return runs.count() * runs.length();
  }

  /**
   * Returns the byte ranges of the slice in row-major order. No two ranges are adjacent, so a slice
   * of only the first dimension is one range; an empty slice has no ranges. The ranges are computed
   * lazily, because they may not fit into memory.
   *
   * @param begin the offset of the first byte of the tensor
   */
  public Iterable<ByteRange> runs(long begin) {
    return () ->
        LongStream.range(0, runs.count())
            .mapToObj(run -> new ByteRange(begin + runs.offset(run), runs.length()))
            .iterator();
  }
}
