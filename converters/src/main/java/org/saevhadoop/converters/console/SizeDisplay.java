package org.saevhadoop.converters.console;

import org.saevhadoop.format.io.ByteSizes;

/** Formats sizes for the user. */
public final class SizeDisplay {
  private SizeDisplay() {}

  /** Returns a size such as {@code 1.5 GiB}. */
  public static String show(long bytes) {
    return ByteSizes.show(bytes);
  }
}
