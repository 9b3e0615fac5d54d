package org.saevhadoop.format.settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Text that passed through a word processor or a web page, with other hyphens and quotation marks,
 * or through two shells, with quotation marks in the text.
 */
public final class TypedText {
  private static final int MINUS_SIGN = 0x2212;
  private static final String QUOTES = "\"'`";

  private TypedText() {}

  /** Returns the text with hyphens for all dashes, and without quotation marks around it. */
  public static String plain(String text) {
    String hyphens =
        text.codePoints()
            .map(c -> isDash(c) ? '-' : c)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    int begin = 0;
    int end = hyphens.length();
    while (begin < end && isQuote(hyphens.charAt(begin))) {
      begin++;
    }
    while (end > begin && isQuote(hyphens.charAt(end - 1))) {
      end--;
    }
    return hyphens.substring(begin, end);
  }

  /**
   * Returns the first change of {@link #plain}, such as {@code U+2013, an en dash}; empty if it
   * changes nothing.
   */
  public static Optional<String> unusual(String text) {
    if (plain(text).equals(text)) {
      return Optional.empty();
    }
    return text.codePoints()
        .filter(c -> isDash(c) || isQuote(c))
        .mapToObj(TypedText::name)
        .findFirst();
  }

  /**
   * Returns a probable meaning of an invalid value: the text in plain characters, without the
   * brackets and blanks of a Python list, or without separators of thousands.
   */
  public static List<String> repairs(String text) {
    String plain = plain(text);
    String list = plain.matches("[\\[({].*[\\])}]") ? plain.replaceAll("[\\[\\](){} ]", "") : plain;
    String number = plain.matches("\\d{1,3}([,_]\\d{3})+") ? plain.replaceAll("[,_]", "") : plain;
    return Stream.of(plain, list, number)
        .filter(repair -> !repair.equals(text))
        .distinct()
        .toList();
  }

  private static String name(int c) {
    String name = String.valueOf(Character.getName(c)).toLowerCase(Locale.ROOT);
    return "U+%04X, %s %s".formatted(c, "aeiou".indexOf(name.charAt(0)) < 0 ? "a" : "an", name);
  }

  private static boolean isDash(int c) {
    return c != '-' && (Character.getType(c) == Character.DASH_PUNCTUATION || c == MINUS_SIGN);
  }

  /** Returns whether a character is a quotation mark; low ones open a quotation in German. */
  private static boolean isQuote(int c) {
    int type = Character.getType(c);
    return QUOTES.indexOf(c) >= 0
        || type == Character.INITIAL_QUOTE_PUNCTUATION
        || type == Character.FINAL_QUOTE_PUNCTUATION
        || c == 0x201a
        || c == 0x201e;
  }
}
