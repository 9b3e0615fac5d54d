package org.saevhadoop.format.settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Repairs text that was copied from a word processor or a web page, with typographic hyphens and
 * quotation marks, or that passed through two shells, which left quotation marks in it.
 */
public final class TypedText {
  private static final int MINUS_SIGN = 0x2212;
  private static final String QUOTES = "\"'`";

  /**
   * A notation that other programs use, and the equivalent notation of this program. A repaired
   * text is used only if it is a valid value.
   */
  private record Notation(Pattern other, String here) {
    Notation(String other, String here) {
      this(Pattern.compile(other), here);
    }
  }

  private static final List<Notation> NOTATIONS =
      List.of(
          new Notation("(^|=)[\\[({]([^\\[\\](){}]*)[\\])}]$", "$1$2"),
          new Notation("(?<=\\d)[,_](?=\\d{3}([,_]\\d{3})*$)", ""),
          new Notation("\\.\\.", "-"),
          new Notation("\\.\\.", ":"),
          new Notation(";\\s*", ","),
          new Notation("(?i)layer[_.]?(?=\\d)", ""),
          new Notation("^\\*$", "all"),
          new Notation("(?i)(?<=^\\d{1,9})k$", "000"),
          new Notation("(?i)(?<=^\\d{1,9})m$", "000000"),
          new Notation("=", ":"),
          new Notation(":", "="),
          new Notation("^(\\d+)([-:])(\\d+)$", "$3$2$1"));

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
   * Returns the first change that {@link #plain} makes, such as {@code U+2013, an en dash}; empty
   * if it changes nothing.
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
   * Returns possible corrections of an invalid value: the text with typographic characters replaced
   * by ASCII, and, for each notation that another program uses, the text converted to the notation
   * of this program.
   */
  public static List<String> repairs(String text) {
    String plain = plain(text);
    Stream<String> inOurs =
        NOTATIONS.stream()
            .map(notation -> notation.other().matcher(plain).replaceAll(notation.here()))
            .filter(ours -> !ours.equals(plain))
            .map(ours -> ours.replaceAll(",\\s+", ","));
    return Stream.concat(Stream.of(plain), inOurs)
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

  /**
   * Returns whether a character is a quotation mark, including the low quotation marks used in
   * German.
   */
  private static boolean isQuote(int c) {
    int type = Character.getType(c);
    return QUOTES.indexOf(c) >= 0
        || type == Character.INITIAL_QUOTE_PUNCTUATION
        || type == Character.FINAL_QUOTE_PUNCTUATION
        || c == 0x201a
        || c == 0x201e;
  }
}
