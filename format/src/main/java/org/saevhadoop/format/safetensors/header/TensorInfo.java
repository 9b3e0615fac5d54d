package org.saevhadoop.format.safetensors.header;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * A tensor of a safetensors file.
 *
 * @param name any string, including an empty one
 * @param dtype the type of the elements, which are little-endian and stored in row-major order
 * @param shape the number of elements per dimension, slowest dimension first; empty for a scalar.
 *     Dimensions are unsigned 64-bit integers in the format: a tensor without elements may have a
 *     dimension of 2^63 or more, which is represented as a negative number
 * @param begin the offset of the first byte from {@link SafetensorsHeader#dataStart()}
 * @param end the offset after the last byte, counted in the same way
 */
public record TensorInfo(String name, DType dtype, List<Long> shape, long begin, long end) {
  public TensorInfo {
    shape = List.copyOf(shape);
  }

  /** Returns the size of the data in bytes. */
  public long byteLength() {
    return end - begin;
  }
}
