package org.saevhadoop.format.safetensors.header;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * Size arithmetic of the reference: unsigned 64-bit integers, with an overflow check for every
 * product.
 */
public final class TensorSize {
  /** Maximum number of dimensions of a shape in an error message. */
  static final int SHOWN = 10;

  private TensorSize() {}

  /**
   * Returns the size of a tensor in bits, unsigned.
   *
   * @throws ArithmeticException if a product, taken from left to right, is 2^64 or more
   */
  public static long bits(DType dtype, List<Long> shape) {
    long elements = 1;
    for (long dimension : shape) {
      elements = multiply(elements, dimension);
    }
    return multiply(elements, dtype.bits());
  }

  private static long multiply(long a, long b) {
    if (overflows(a, b)) {
      throw new ArithmeticException("2^64 or more");
    }
    return a * b;
  }

  /** Returns whether the product of unsigned factors is 2^64 or more. */
  static boolean overflows(long a, long b) {
    boolean small = (a | b) >>> 31 == 0;
    return !small && a != 0 && Long.compareUnsigned(b, Long.divideUnsigned(-1, a)) > 0;
  }

  /** Formats a shape for error messages. */
  public static String show(DType dtype, List<Long> shape) {
    StringBuilder text = new StringBuilder(dtype.name()).append('[');
    int shown = Math.min(shape.size(), SHOWN);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ",").append(Long.toUnsignedString(shape.get(i)));
    }
    return text.append(shown < shape.size() ? ",...]" : "]").toString();
  }
}
