package org.saevhadoop.mapreduce.conf;

import org.saevhadoop.format.settings.UnicodeEscape;

/**
 * Text that survives a {@code Configuration} and the XML file in which a job's configuration is
 * stored: <code>${...}</code> is not expanded, whitespace is not trimmed, line ends are not changed
 * and no character is lost. Text that needs no escapes remains readable.
 */
final class ConfText {
  /**
   * Prefix of an escaped value, in which a backslash, {@code u} and four hexadecimal digits encode
   * one UTF-16 code unit.
   */
  static final String MARK = "escaped:";

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
        UnicodeEscape.append(escaped, c);
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

  /** Returns whether text was escaped by {@link #encode}. */
  static boolean isEncoded(String text) {
    return text.startsWith(MARK);
  }

  /**
   * Reverses {@link #encode} for escaped text.
   *
   * @throws IllegalArgumentException if a backslash does not begin a valid escape
   */
  static String decode(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = MARK.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      if (!UnicodeEscape.isAt(text, i)) {
        throw new IllegalArgumentException("a backslash escapes nothing after " + MARK);
      }
      plain.append(UnicodeEscape.unit(text, i));
      i += UnicodeEscape.LENGTH - 1;
    }
    return plain.toString();
  }
}
