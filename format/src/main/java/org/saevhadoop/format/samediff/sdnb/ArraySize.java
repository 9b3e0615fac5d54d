package org.saevhadoop.format.samediff.sdnb;

import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/** The size in bytes of an array. */
final class ArraySize {
  private static final int MAX_NAME = 100;

  private ArraySize() {}

  /**
   * Returns the size of an array.
   *
   * @throws FormatException if a dimension is negative, or the size exceeds 2^63 bytes
   */
  static long of(String path, String name, List<Long> shape, SdnbType type) throws FormatException {
    long bytes = type.width();
    boolean fits = true;
    for (long size : shape) {
      if (size < 0) {
        throw SdnbError.BAD_ARRAY.in(
            path, "array %s has the shape %s", Quote.show(name, MAX_NAME), shape);
      }
      fits &= size == 0 || bytes <= Long.MAX_VALUE / size;
      bytes *= size;
    }
    // an array without elements is empty, however large its other dimensions are
    if (!fits && !shape.contains(0L)) {
      throw SdnbError.TOO_LARGE.in(
          path,
          "array %s has the shape %s (expected less than 2^63 bytes)",
          Quote.show(name, MAX_NAME),
          shape);
    }
    return shape.contains(0L) ? 0 : bytes;
  }
}
