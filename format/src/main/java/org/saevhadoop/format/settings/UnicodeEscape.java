package org.saevhadoop.format.settings;

import java.util.HexFormat;

/**
 * A UTF-16 code unit as a backslash, {@code u} and four hexadecimal digits. Settings may contain
 * millions of escapes, so neither format strings nor regular expressions are used.
 */
public final class UnicodeEscape {
  /** The number of characters of an escape. */
  public static final int LENGTH = 6;

  private static final HexFormat HEX = HexFormat.of();
  private static final int DIGITS = 2;

  private UnicodeEscape() {}

  /** Appends the escape of a code unit. */
  public static void append(StringBuilder text, char unit) {
    text.append("\\u").append(HEX.toHexDigits(unit));
  }

  /** Returns whether an escape begins at the position of a backslash. */
  public static boolean isAt(String text, int position) {
    if (position + LENGTH > text.length() || text.charAt(position + 1) != 'u') {
      return false;
    }
    for (int i = position + DIGITS; i < position + LENGTH; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the code unit of the escape at a position. */
  public static char unit(String text, int position) {
    return (char) HexFormat.fromHexDigits(text, position + DIGITS, position + LENGTH);
  }
}
