package org.saevhadoop.format.safetensors.header;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/** The reference's arithmetic of sizes: unsigned 64-bit integers, every product checked. */
public final class TensorSize {
  /** Dimensions of a shape in an error message. */
  static final int SHOWN = 10;

  private TensorSize() {}

  /**
   * Bits of a tensor, unsigned.
   *
   * @throws ArithmeticException where a product, taken from left to right, is 2^64 or more
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

  /** Whether a product of unsigned factors is 2^64 or more. */
  static boolean overflows(long a, long b) {
    boolean small = (a | b) >>> 31 == 0;
    return !small && a != 0 && Long.compareUnsigned(b, Long.divideUnsigned(-1, a)) > 0;
  }

  /** A shape as error messages show it. */
  public static String show(DType dtype, List<Long> shape) {
    StringBuilder text = new StringBuilder(dtype.name()).append('[');
    int shown = Math.min(shape.size(), SHOWN);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ",").append(Long.toUnsignedString(shape.get(i)));
    }
    return text.append(shown < shape.size() ? ",...]" : "]").toString();
  }
}
