package org.saevhadoop.converters;

import org.saevhadoop.format.io.ByteSizes;

/** Sizes for a person to read. */
final class Sizes {
  private Sizes() {}

  /** For example {@code 1.5 GiB}. */
  static String show(long bytes) {
    return ByteSizes.show(bytes);
  }
}
