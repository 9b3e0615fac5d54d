package org.saevhadoop.format.pickle.value;

/** The elements of an array in C's order: the last index moves fastest. */
public final class ArrayOrder {
  private ArrayOrder() {}

  /**
   * The same elements in C's order.
   *
   * @param bytes the elements as the array has them
   */
  public static byte[] rowMajor(PythonValue.NumpyArray array, byte[] bytes) {
    return array.isRowMajor() || bytes.length == 0
        ? bytes
        : rowMajor(bytes, array.type().itemSize(), array.shape(), array.axes());
  }

  /**
   * Reorders.
   *
   * @param axes for each dimension its place among them by how slowly their index moves in {@code
   *     bytes}, 0 being the slowest
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
