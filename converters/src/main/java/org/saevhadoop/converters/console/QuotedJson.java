package org.saevhadoop.converters.console;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** JSON strings in lines that are not made by a JSON library. */
public final class QuotedJson {
  private QuotedJson() {}

  /** Returns a text as a JSON string, with its quotes. */
  public static String of(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
