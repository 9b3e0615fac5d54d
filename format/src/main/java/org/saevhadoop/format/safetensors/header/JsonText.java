package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.json.JsonEscapes;

/** Names as error messages show them. */
final class JsonText {
  /** Characters of a name in an error message. */
  static final int SHOWN = 80;

  private JsonText() {}

  /** A name as error messages show it: one line, not too long. */
  static String show(String name) {
    StringBuilder quoted = new StringBuilder();
    JsonEscapes.UTF8.quote(name.substring(0, Math.min(name.length(), SHOWN)), quoted);
    StringBuilder out = new StringBuilder("`");
    for (int i = 1; i < quoted.length() - 1; i++) {
      char c = quoted.charAt(i);
      if (c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append(name.length() > SHOWN ? "...`" : "`").toString();
  }
}
