package org.saevhadoop.format.io;

import java.util.Locale;

/** Formats sizes for display. */
public final class ByteSizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private ByteSizes() {}

  /** Returns a size with its unit, such as {@code 1.5 GiB}. */
  public static String show(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
  }
}
