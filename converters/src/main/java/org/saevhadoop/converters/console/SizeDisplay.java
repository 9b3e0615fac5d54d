package org.saevhadoop.converters.console;

import org.saevhadoop.format.io.ByteSizes;

/** Sizes for a person to read. */
public final class SizeDisplay {
  private SizeDisplay() {}

  /** For example {@code 1.5 GiB}. */
  public static String show(long bytes) {
    return ByteSizes.show(bytes);
  }
}
