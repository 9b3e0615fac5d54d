package org.saevhadoop.converters.cat;

import java.util.List;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;

/** The header that precedes values with {@code --format npy}. */
final class NpyPreamble {
  private NpyPreamble() {}

  /**
   * Returns the bytes that precede the values, which must be in row-major order and little-endian.
   *
   * @throws FormatException if numpy does not have the dtype, or there are too many dimensions
   */
  static byte[] of(String path, DType dtype, List<Long> shape) throws FormatException {
    NumpyType type =
        NumpyType.of(dtype)
            .filter(known -> !known.equals(NumpyType.BFLOAT16))
            .orElseThrow(
                () ->
                    DatasetError.NOT_CONVERTIBLE.in(
                        path,
                        "has the type %s, which numpy lacks (expected --format hex or bin)",
                        dtype.numpyName()));
    return NpyHeader.encode(path, type, false, shape);
  }
}
