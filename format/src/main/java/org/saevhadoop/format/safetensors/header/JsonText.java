package org.saevhadoop.format.safetensors.header;

import org.saevhadoop.format.io.Quote;

/** JSON strings as the reference writes them. */
public final class JsonText {
  /** Characters of a name in an error message. */
  static final int SHOWN = 80;

  private JsonText() {}

  /**
   * Appends {@code text} in quotes. Escaped are quote, backslash and what is below U+0020; all else
   * stays as it is.
   */
  public static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      escape(text.charAt(i), out);
    }
    out.append('"');
  }

  private static void escape(char c, StringBuilder out) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < 0x20) {
          out.append("\\u00").append(Character.forDigit(c >> 4, 16));
          out.append(Character.forDigit(c & 15, 16));
        } else {
          out.append(c);
        }
      }
    }
  }

  /** A name as error messages show it: one line, not too long. */
  static String show(String name) {
    return '`' + Quote.show(name, SHOWN) + '`';
  }

  /** UTF-8 byte order, which for supplementary characters is not the order of Java's strings. */
  static int compare(String a, String b) {
    int end = Math.min(a.length(), b.length());
    for (int i = 0; i < end; i++) {
      if (a.charAt(i) != b.charAt(i)) {
        return rank(a.charAt(i)) - rank(b.charAt(i));
      }
    }
    return a.length() - b.length();
  }

  /** Surrogates stand for what comes after U+FFFF. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
