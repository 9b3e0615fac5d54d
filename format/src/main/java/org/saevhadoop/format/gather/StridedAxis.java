package org.saevhadoop.format.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Positions along an axis that consists of one dimension of an array, or of several dimensions in C
 * order. Adjacent dimensions with evenly spaced elements are merged.
 *
 * @param sizes the number of elements along each dimension, without dimensions of size 1; empty for
 *     an axis of one element
 * @param strides the distance in bytes between adjacent elements along each dimension
 */
public record StridedAxis(List<Long> sizes, List<Long> strides) {
  /** An axis of one element. */
  public static final StridedAxis ONE = new StridedAxis(List.of(), List.of());

  /**
   * Consecutive elements of an axis.
   *
   * @param offset the distance, in bytes, from the first element of the axis to the first of these
   *     elements
   */
  public record Section(long offset, StridedAxis axis) {}

  /**
   * Two axes that replace one axis.
   *
   * @param inner the axis that varies fastest
   */
  public record Split(StridedAxis outer, StridedAxis inner) {}

  /**
   * Joins dimensions.
   *
   * @throws ArithmeticException if the number of elements is 2^63 or larger
   */
  public StridedAxis {
    if (sizes.size() != strides.size()) {
      throw new IllegalArgumentException("strides " + strides + " of dimensions " + sizes);
    }
    if (sizes.contains(0L)) {
      sizes = List.of(0L);
      strides = List.of(0L);
    } else if (sizes.size() > 1 || sizes.contains(1L)) {
      List<Long> joinedSizes = new ArrayList<>();
      List<Long> joinedStrides = new ArrayList<>();
      join(sizes, strides, joinedSizes, joinedStrides);
      sizes = joinedSizes;
      strides = joinedStrides;
    }
    sizes = List.copyOf(sizes);
    strides = List.copyOf(strides);
  }

  private static void join(
      List<Long> sizes, List<Long> strides, List<Long> joinedSizes, List<Long> joinedStrides) {
    long count = 1;
    for (int i = 0; i < sizes.size(); i++) {
      int last = joinedSizes.size() - 1;
      long size = sizes.get(i);
      long stride = strides.get(i);
      count = Math.multiplyExact(count, size);
      if (size != 1 && last >= 0 && joinedStrides.get(last) == size * stride) {
        joinedSizes.set(last, joinedSizes.get(last) * size);
        joinedStrides.set(last, stride);
      } else if (size != 1) {
        joinedSizes.add(size);
        joinedStrides.add(stride);
      }
    }
  }

  /** Returns the number of elements. */
  public long size() {
    long count = 1;
    for (int i = 0; i < sizes.size(); i++) { // an iterator costs more than the product
      count *= sizes.get(i);
    }
    return count;
  }

  /** Returns whether the elements are evenly spaced. */
  public boolean isEven() {
    return sizes.size() <= 1;
  }

  /**
   * Returns the distance in bytes between adjacent elements; 0 if there is only one element.
   *
   * @throws IllegalStateException if the elements are not evenly spaced
   */
  public long stride() {
    if (!isEven()) {
      throw new IllegalStateException("one stride of " + this);
    }
    return strides.isEmpty() ? 0 : strides.get(0);
  }

  /** Returns the distance in bytes from the first element to an element. */
  public long offset(long index) {
    long rest = index;
    long offset = 0;
    for (int i = sizes.size() - 1; i >= 0; i--) {
      offset += rest % sizes.get(i) * strides.get(i);
      rest /= sizes.get(i);
    }
    return offset;
  }

  /** Returns consecutive elements as the smallest possible number of sections, in order. */
  public List<Section> sections(long first, long count) {
    if (first == 0 && count == size()) {
      return List.of(new Section(0, this));
    }
    List<Section> sections = new ArrayList<>();
    long end = first + count;
    for (long at = first; at < end; ) {
      int dimension = sizes.size() - 1;
      long inner = 1;
      // the outermost dimension with only whole rows left that fit
      while (dimension > 0
          && at % (inner * sizes.get(dimension)) == 0
          && at + inner * sizes.get(dimension) <= end) {
        inner *= sizes.get(dimension--);
      }
      long rows = 1;
      if (dimension >= 0) {
        long index = at / inner % sizes.get(dimension);
        rows = Math.min(sizes.get(dimension) - index, (end - at) / inner);
      }
      sections.add(new Section(offset(at), part(dimension, rows)));
      at += rows * inner;
    }
    return sections;
  }

  /**
   * Returns an axis with some of the elements along one dimension and all elements along the
   * dimensions after it.
   */
  private StridedAxis part(int dimension, long rows) {
    if (dimension < 0) {
      return ONE;
    }
    if (isEven()) {
      return new StridedAxis(List.of(rows), strides);
    }
    List<Long> some = new ArrayList<>(sizes.subList(dimension, sizes.size()));
    some.set(0, rows);
    return new StridedAxis(some, strides.subList(dimension, strides.size()));
  }

  /**
   * Divides the axis into runs of consecutive elements.
   *
   * @param count the number of elements in a run, which must divide the total number of elements
   * @return the axes; empty if the distances between elements differ from run to run
   */
  public Optional<Split> split(long count) {
    long inner = 1;
    for (int i = sizes.size() - 1; i >= 0 && count % inner == 0; i--) {
      long rows = count / inner;
      if (sizes.get(i) % rows == 0) {
        List<Long> outerSizes = new ArrayList<>(sizes.subList(0, i));
        List<Long> outerStrides = new ArrayList<>(strides.subList(0, i));
        outerSizes.add(sizes.get(i) / rows);
        outerStrides.add(strides.get(i) * rows);
        return Optional.of(new Split(new StridedAxis(outerSizes, outerStrides), part(i, rows)));
      }
      inner *= sizes.get(i);
    }
    return Optional.empty();
  }
}
