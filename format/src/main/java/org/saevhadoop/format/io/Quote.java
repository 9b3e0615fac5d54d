package org.saevhadoop.format.io;

/**
 * Sanitizes untrusted text for messages and for single-line terminal output. Control characters,
 * line separators, characters that change the direction of text and unpaired surrogates appear as
 * escapes such as <code>&#92;n</code> and <code>&#92;u001b</code>; all other text stays as it is.
 * Text that was sanitized once does not change again.
 */
public final class Quote {
  private static final String NAMED = "\b\t\n\f\r";
  private static final String NAMES = "btnfr";

  private Quote() {}

  /** Returns text on one line. */
  public static String show(String text) {
    return show(text, Integer.MAX_VALUE);
  }

  /** Returns text on one line; {@code ...} stands for what follows its first {@code max} chars. */
  public static String show(String text, int max) {
    return show(text, max, false);
  }

  /** Returns the same in ASCII: all other characters are escaped too. */
  public static String ascii(String text, int max) {
    return show(text, max, true);
  }

  /**
   * Returns JSON for terminal output: the same characters appear as escapes, which mean the same in
   * its strings. Blanks between tokens stay as they are.
   */
  public static String json(String json) {
    StringBuilder shown = null;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean escaped = c >= 0x7f && isEscaped(json, i, false);
      if (escaped && shown == null) {
        shown = new StringBuilder(json.length() + 16).append(json, 0, i);
      }
      if (escaped) {
        escape(c, shown);
      } else if (shown != null) {
        shown.append(c);
      }
    }
    return shown == null ? json : shown.toString();
  }

  private static String show(String text, int max, boolean ascii) {
    int end = end(text, max);
    int i = 0;
    while (i < end && !isEscaped(text, i, ascii)) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder line = new StringBuilder(end + 16).append(text, 0, i);
    for (; i < end; i++) {
      if (isEscaped(text, i, ascii)) {
        escape(text.charAt(i), line);
      } else {
        line.append(text.charAt(i));
      }
    }
    return line.append(end < text.length() ? "..." : "").toString();
  }

  /** Returns where to cut a text: not within a pair of surrogates. */
  private static int end(String text, int max) {
    if (text.length() <= max) {
      return text.length();
    }
    boolean splits = max > 0 && Character.isSurrogatePair(text.charAt(max - 1), text.charAt(max));
    return splits ? max - 1 : max;
  }

  private static boolean isEscaped(String text, int i, boolean ascii) {
    char c = text.charAt(i);
    if (c < 0x7f) {
      return c < ' ';
    }
    if (ascii) {
      return true;
    }
    return switch (c) {
      case '\u2028', '\u2029' -> true; // separators of lines and paragraphs
      case '\u061c', '\u200e', '\u200f' -> true; // marks of direction
      case '\u202a', '\u202b', '\u202c', '\u202d', '\u202e' -> true; // embeddings, overrides
      case '\u2066', '\u2067', '\u2068', '\u2069' -> true; // isolates
      default -> c < 0xa0 || Character.isSurrogate(c) && !isPaired(text, i);
    };
  }

  private static boolean isPaired(String text, int i) {
    char c = text.charAt(i);
    return Character.isHighSurrogate(c)
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }

  private static void escape(char c, StringBuilder line) {
    int named = NAMED.indexOf(c);
    if (named >= 0) {
      line.append('\\').append(NAMES.charAt(named));
    } else {
      line.append(String.format("\\u%04x", (int) c));
    }
  }
}
