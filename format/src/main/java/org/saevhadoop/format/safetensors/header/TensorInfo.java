package org.saevhadoop.format.safetensors.header;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * A tensor of a safetensors file.
 *
 * @param name any text, even the empty one
 * @param dtype the type of its elements, which lie in row-major order, little endian
 * @param shape elements per dimension, the slowest first; empty for a scalar. The format has
 *     unsigned 64-bit dimensions: in a tensor without elements one of 2^63 or more is possible and
 *     shows as a negative number
 * @param begin its first byte, counted from {@link SafetensorsHeader#dataStart()}
 * @param end the byte after its last, counted likewise
 */
public record TensorInfo(String name, DType dtype, List<Long> shape, long begin, long end) {
  public TensorInfo {
    shape = List.copyOf(shape);
  }

  /** The size of its data in bytes. */
  public long byteLength() {
    return end - begin;
  }
}
