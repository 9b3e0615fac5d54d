package org.saevhadoop.converters.cat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * The header of numpy's file format, version 1.0 (NEP 1). It is padded to 64 bytes as in NumPy
 * 1.26, numpy/lib/format.py.
 */
final class NpyHeader {
  private static final int PREFIX = 10;
  private static final int ALIGNMENT = 64;

  private NpyHeader() {}

  /**
   * Returns the bytes in front of the values, which must be in row-major order and little-endian.
   *
   * @throws FormatException if numpy does not have the dtype, or there are too many dimensions
   */
  static byte[] header(String path, DType dtype, List<Long> shape) throws FormatException {
    String axes = shape.stream().map(Long::toUnsignedString).collect(Collectors.joining(", "));
    String dict =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }"
            .formatted(descr(path, dtype), axes, shape.size() == 1 ? "," : "");
    int length = (PREFIX + dict.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - PREFIX;
    DatasetError.NOT_CONVERTIBLE.check(
        length < 1 << 16, path, "has %d dimensions, too many for a .npy file", shape.size());
    ByteBuffer header = ByteBuffer.allocate(PREFIX + length);
    header.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    header.put((byte) 1).put((byte) 0).put((byte) length).put((byte) (length >> 8));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }

  private static String descr(String path, DType dtype) throws FormatException {
    return switch (dtype) {
      case BOOL -> "|b1";
      case I8 -> "|i1";
      case U8 -> "|u1";
      case I16, I32, I64 -> "<i" + dtype.bits() / Byte.SIZE;
      case U16, U32, U64 -> "<u" + dtype.bits() / Byte.SIZE;
      case F16, F32, F64 -> "<f" + dtype.bits() / Byte.SIZE;
      case C64 -> "<c8";
      default ->
          throw DatasetError.NOT_CONVERTIBLE.in(
              path,
              "is of %s, which numpy does not have (expected --format hex or bin)",
              dtype.numpyName());
    };
  }
}
