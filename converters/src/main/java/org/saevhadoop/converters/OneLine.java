package org.saevhadoop.converters;

/** Text of others, on one line of a terminal. */
final class OneLine {
  private OneLine() {}

  /** A dataset may say anything, also what a terminal would obey. */
  static String of(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
  }
}
