package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.io.Quote;

/** Formatting of tensor names for error messages. */
public final class JsonText {
  /** Maximum length of a name in an error message, in characters. */
  static final int SHOWN = 80;

  private JsonText() {}

  /** Returns a name on a single line of limited length. */
  public static String show(String name) {
    return '`' + Quote.show(name, SHOWN) + '`';
  }
}
