package org.saevhadoop.format.pickle.value;

/** Conversion of array elements to C order, in which the last index varies fastest. */
public final class ArrayOrder {
  private ArrayOrder() {}

  /**
   * Returns the elements in C order.
   *
   * @param bytes the elements in the order of the array
   */
  public static byte[] rowMajor(PythonValue.NumpyArray array, byte[] bytes) {
    return array.isRowMajor() || bytes.length == 0
        ? bytes
        : rowMajor(bytes, array.type().itemSize(), array.shape(), array.axes());
  }

  /**
   * Reorders elements.
   *
   * @param axes the position of each dimension in the order of {@code bytes}; 0 is the slowest
   */
  private static byte[] rowMajor(byte[] bytes, int itemSize, long[] shape, int[] axes) {
    int[] strides = strides(itemSize, shape, axes);
    byte[] ordered = new byte[bytes.length];
    long[] index = new long[shape.length];
    int from = 0;
    for (int to = 0; to < bytes.length; to += itemSize) {
      System.arraycopy(bytes, from, ordered, to, itemSize);
      for (int axis = shape.length - 1; axis >= 0; axis--) {
        from += strides[axis];
        if (++index[axis] < shape[axis]) {
          break;
        }
        from -= (int) (strides[axis] * shape[axis]);
        index[axis] = 0;
      }
    }
    return ordered;
  }

  private static int[] strides(int itemSize, long[] shape, int[] axes) {
    int[] strides = new int[shape.length];
    int stride = itemSize;
    for (int place = shape.length - 1; place >= 0; place--) {
      for (int axis = 0; axis < shape.length; axis++) {
        if (axes[axis] == place) {
          strides[axis] = stride;
          stride = (int) (stride * shape[axis]);
        }
      }
    }
    return strides;
  }
}
