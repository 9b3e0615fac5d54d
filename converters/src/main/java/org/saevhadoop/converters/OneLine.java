package org.saevhadoop.converters;

/** Text of others, on one line of a terminal. */
final class OneLine {
  private OneLine() {}

  /** A dataset may say anything, also what a terminal would obey. */
  static String of(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }
}
