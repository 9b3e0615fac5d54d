package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import org.saevhadoop.format.io.Quote;

/** JSON strings for lines that are written without a JSON library. */
public final class QuotedJson {
  private QuotedJson() {}

  /** Returns text as a JSON string, with its quotes, for terminal output. */
  public static String of(String text) {
    String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(text));
    return '"' + Quote.json(quoted) + '"';
  }
}
