package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Text of others, on one line of a terminal. */
public final class OneLine {
  private OneLine() {}

  /** A dataset may say anything, also what a terminal would obey. */
  public static String of(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
  }

  /** Text as a JSON string. */
  public static String json(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
