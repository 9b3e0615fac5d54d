package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Sanitizes untrusted text for single-line terminal output. */
public final class OneLine {
  private OneLine() {}

  /**
   * Replaces control characters and line separators by question marks, because text from a dataset
   * may contain terminal escape sequences.
   */
  public static String of(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
  }

  /** Returns text as a JSON string. */
  public static String json(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
