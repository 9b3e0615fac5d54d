package org.saevhadoop.format.safetensors.index;

import java.util.List;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.tensor.DType;

/**
 * Location of a tensor according to an index.
 *
 * @param key the name of the tensor, {@code <id><separator><column>} in the key-value layout
 * @param file the plain name of the file, in the folder of the index
 * @param dtype the element type
 * @param shape the number of elements per dimension, slowest dimension first
 * @param begin the offset of the first byte from the end of the header, as in {@link TensorInfo};
 *     {@link #UNKNOWN} in an index of safetensors-spark, which has no offsets
 * @param end the offset after the last byte, counted in the same way, or {@link #UNKNOWN}
 * @param headerBytes the length of the header of the file in bytes, including padding but not the 8
 *     bytes before it, or {@link #UNKNOWN}
 */
public record TensorIndexEntry(
    String key,
    String file,
    DType dtype,
    List<Long> shape,
    long begin,
    long end,
    long headerBytes) {
  /** Value of a number that is missing from the index. */
  public static final long UNKNOWN = -1;

  public TensorIndexEntry {
    shape = List.copyOf(shape);
  }

  /** Returns the entry of a tensor in a file. */
  public static TensorIndexEntry of(String file, SafetensorsHeader header, TensorInfo tensor) {
    return new TensorIndexEntry(
        tensor.name(),
        file,
        tensor.dtype(),
        tensor.shape(),
        tensor.begin(),
        tensor.end(),
        header.headerBytes());
  }

  /** Returns the entry without offsets and header length, as safetensors-spark writes it. */
  public TensorIndexEntry withoutPlace() {
    return new TensorIndexEntry(key, file, dtype, shape, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  /** Returns whether the index has the offsets of the tensor and the length of the header. */
  public boolean placed() {
    return headerBytes != UNKNOWN;
  }
}
