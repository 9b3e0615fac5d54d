package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;

/**
 * Positions of Jackson's parsers in their text. The methods that replace the deprecated ones exist
 * since Jackson 2.13 only, and Hadoop 3.4 has 2.12.
 */
@SuppressWarnings("deprecation")
public final class JacksonPosition {
  private JacksonPosition() {}

  /** Returns the position at which the current token begins. */
  public static JsonLocation start(JsonParser parser) {
    return parser.getTokenLocation();
  }

  /** Returns the position after the text that was read so far. */
  public static JsonLocation end(JsonParser parser) {
    return parser.getCurrentLocation();
  }
}
