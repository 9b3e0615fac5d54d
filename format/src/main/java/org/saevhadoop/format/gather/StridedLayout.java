package org.saevhadoop.format.gather;

import java.util.List;
import java.util.stream.LongStream;

/**
 * Positions of the elements of an array in a file: element {@code i} is at {@code offset + i[0] *
 * strides[0] + i[1] * strides[1] + ...}, as in {@code numpy.ndarray.strides}.
 *
 * @param offset the offset of the first element in bytes
 * @param width the size of an element in bytes
 * @param shape the dimensions; empty for a scalar
 * @param strides the nonnegative distance in bytes between adjacent elements along each dimension
 */
public record StridedLayout(long offset, int width, List<Long> shape, List<Long> strides) {
  public StridedLayout {
    shape = List.copyOf(shape);
    strides = List.copyOf(strides);
    if (shape.size() != strides.size() || strides.stream().anyMatch(stride -> stride < 0)) {
      throw new IllegalArgumentException("strides " + strides + " of an array " + shape);
    }
  }

  /** Returns the layout of contiguous bytes. */
  public static StridedLayout contiguous(long offset, long bytes) {
    return new StridedLayout(offset, 1, List.of(bytes), List.of(1L));
  }

  /** Returns the layout of an array whose last dimension varies fastest. */
  public static StridedLayout cOrder(long offset, int width, List<Long> shape) {
    return dense(offset, width, shape, shape.size() - 1, -1);
  }

  /** Returns the layout of an array whose first dimension varies fastest. */
  public static StridedLayout fortran(long offset, int width, List<Long> shape) {
    return dense(offset, width, shape, 0, 1);
  }

  /** The strides of an empty array are 0, because the product of its other sizes can overflow. */
  private static StridedLayout dense(
      long offset, int width, List<Long> shape, int fastest, int step) {
    long[] strides = new long[shape.size()];
    long stride = shape.contains(0L) ? 0 : width;
    for (int i = fastest; i >= 0 && i < strides.length; i += step) {
      strides[i] = stride;
      stride = Math.multiplyExact(stride, shape.get(i));
    }
    return new StridedLayout(offset, width, shape, LongStream.of(strides).boxed().toList());
  }

  /** Returns the strides in bytes of a contiguous array of this shape. */
  long[] rowMajor() {
    long[] strides = new long[shape.size()];
    long stride = width;
    for (int i = strides.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= shape.get(i);
    }
    return strides;
  }

  /** Returns the size of all elements in bytes. */
  public long length() {
    return shape.contains(0L) ? 0 : shape.stream().reduce((long) width, Math::multiplyExact);
  }

  /** Returns whether the array is stored in C order. */
  boolean isContiguous() {
    long[] contiguous = rowMajor();
    for (int i = 0; i < contiguous.length && !shape.contains(0L); i++) {
      if (shape.get(i) != 1 && strides.get(i) != contiguous[i]) {
        return false;
      }
    }
    return true;
  }
}
