package org.saevhadoop.format.safetensors.index;

import java.util.List;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.tensor.DType;

/**
 * Where an index says that a tensor lies.
 *
 * @param key the tensor's name, {@code <id><separator><column>} in key-value layout
 * @param file the plain name of its file, in the folder of the index
 * @param dtype the type of its elements
 * @param shape elements per dimension, the slowest first
 * @param begin its first byte, counted from the end of the header as in {@link TensorInfo}; {@link
 *     #UNKNOWN} in an index of safetensors-spark, which knows no places
 * @param end the byte after its last, likewise
 * @param headerBytes the file's header with its padding, without the 8 bytes before it; likewise
 */
public record TensorIndexEntry(
    String key,
    String file,
    DType dtype,
    List<Long> shape,
    long begin,
    long end,
    long headerBytes) {
  /** Stands for a number that the index does not have. */
  public static final long UNKNOWN = -1;

  public TensorIndexEntry {
    shape = List.copyOf(shape);
  }

  /** The entry of a tensor of a file. */
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

  /** Whether the index knows begin, end and the header's length. */
  public boolean placed() {
    return headerBytes != UNKNOWN;
  }
}
