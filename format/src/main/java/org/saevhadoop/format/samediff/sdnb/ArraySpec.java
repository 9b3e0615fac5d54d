package org.saevhadoop.format.samediff.sdnb;

import java.util.List;

/**
 * An array to be written.
 *
 * @param shape the dimensions, at least one
 */
public record ArraySpec(String name, SdnbType type, List<Long> shape) {
  public ArraySpec {
    shape = List.copyOf(shape);
    if (shape.isEmpty() || shape.stream().anyMatch(size -> size < 0)) {
      throw new IllegalArgumentException("array %s of shape %s".formatted(name, shape));
    }
  }

  /** Returns the size in bytes. */
  public long bytes() {
    long bytes = type.width();
    for (long size : shape) {
      bytes = Math.multiplyExact(bytes, size);
    }
    return bytes;
  }
}
