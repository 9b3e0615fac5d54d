package org.saevhadoop.mapreduce.conf;

/**
 * Text that survives a {@code Configuration} and the XML file in which a job travels: neither is
 * <code>${...}</code> expanded, nor are blanks trimmed, nor line ends changed, nor characters lost.
 * Text that needs nothing of that stays readable as it is.
 */
final class ConfText {
  /** Begins a value in which a backslash, {@code u} and four digits stand for a character. */
  static final String MARK = "escaped:";

  private static final int HEX = 16;
  private static final int DIGITS = 4;

  private ConfText() {}

  static String encode(String text) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(MARK);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean edge = c == ' ' && i == text.length() - 1;
      if (c < ' ' || c >= 0x7f || c == '$' || c == '\\' || edge) {
        escaped.append(String.format("\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '$')
        && text.strip().length() == text.length()
        && !text.startsWith(MARK);
  }

  /** Returns whether a text is one that {@link #encode} escaped. */
  static boolean isEncoded(String text) {
    return text.startsWith(MARK);
  }

  /**
   * Returns what {@link #encode} was given for a text that it escaped.
   *
   * @throws IllegalArgumentException if it has a backslash that escapes nothing
   */
  static String decode(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = MARK.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      int end = i + 2 + DIGITS;
      String digits = end <= text.length() ? text.substring(i + 2, end) : "";
      if (!digits.matches("\\p{XDigit}{4}") || text.charAt(i + 1) != 'u') {
        throw new IllegalArgumentException("a backslash escapes nothing after " + MARK);
      }
      plain.append((char) Integer.parseInt(digits, HEX));
      i = end - 1;
    }
    return plain.toString();
  }
}
