package org.saevhadoop.format.io;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sanitizes untrusted text for messages and for single-line terminal output. Control characters,
 * line separators, characters that change the direction of text and unpaired surrogates appear as
 * escapes such as <code>&#92;n</code> and <code>&#92;u001b</code>; all other text is unchanged.
 * Sanitizing sanitized text does not change it.
 */
public final class Quote {
  private static final String NAMED = "\b\t\n\f\r";
  private static final String NAMES = "btnfr";

  private static final Pattern SPECIFIER = Pattern.compile("%[-#+ 0,(.\\d]*[a-zA-Z%]");

  /** A plural noun after a count, with an optional adjective before and verb after the noun. */
  private static final Pattern PLURAL =
      Pattern.compile(
          "( (?:different |empty |metadata |more |other |pending )?)(arrays|blocks|bytes|columns|conflicts|datasets|dimensions|dims"
              + "|elements|entries|examples|fields|files|headers|indexes|jobs|keys|labels|layers"
              + "|lists|nulls|numbers|objects|parts|passes|paths|rows|runs|samples|shards|strides"
              + "|tasks|tensors|times|tokens|uploads|values|vectors)\\b"
              + "( (?:are|were|have|differ|exist|follow|hold|lack|name)\\b)?");

  private static final Set<Object> NOUNS = Set.of("array", "mask");

  private static final Map<String, String> SINGULAR_VERBS =
      Map.of(
          " are", " is",
          " were", " was",
          " have", " has",
          " differ", " differs",
          " exist", " exists",
          " follow", " follows",
          " lack", " lacks",
          " name", " names",
          " hold", " holds");

  private Quote() {}

  /** Returns text on one line; "null" for null, such as the message of some exceptions. */
  public static String show(@Nullable String text) {
    return show(text, Integer.MAX_VALUE);
  }

  /**
   * Returns text on one line; {@code ...} replaces everything after its first {@code max} chars.
   */
  public static String show(@Nullable String text, int max) {
    return show(String.valueOf(text), max, Quote::isSpecial);
  }

  /** Returns text on one line in ASCII; non-ASCII characters are also escaped. */
  public static String ascii(String text, int max) {
    return show(text, max, (all, i) -> all.charAt(i) >= 0x7f || all.charAt(i) < ' ');
  }

  /**
   * Returns JSON for terminal output; special characters from U+007F on are escaped, which does not
   * change the meaning of its strings. White space between tokens is unchanged.
   */
  public static String json(String json) {
    return show(json, json.length(), (text, i) -> text.charAt(i) >= 0x7f && isSpecial(text, i));
  }

  /** The rule that decides whether the character at an index is escaped. */
  private interface Rule {
    boolean escapes(String text, int index);
  }

  private static String show(String text, int max, Rule rule) {
    int end = end(text, max);
    int i = 0;
    while (i < end && !rule.escapes(text, i)) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder line = new StringBuilder(end + 16).append(text, 0, i);
    for (; i < end; i++) {
      if (rule.escapes(text, i)) {
        escape(text.charAt(i), line);
      } else {
        line.append(text.charAt(i));
      }
    }
    return line.append(end < text.length() ? "..." : "").toString();
  }

  /** Returns the position at which to cut text without splitting a surrogate pair. */
  private static int end(String text, int max) {
    if (text.length() <= max) {
      return text.length();
    }
    boolean splits = max > 0 && Character.isSurrogatePair(text.charAt(max - 1), text.charAt(max));
    return splits ? max - 1 : max;
  }

  private static boolean isSpecial(String text, int i) {
    char c = text.charAt(i);
    if (c < 0x7f) {
      return c < ' ';
    }
    return switch (c) {
      case '\u2028', '\u2029' -> true; // separators of lines and paragraphs
      case '\u061c', '\u200e', '\u200f' -> true; // marks of direction
      case '\u202a', '\u202b', '\u202c', '\u202d', '\u202e' -> true; // embeddings, overrides
      case '\u2066', '\u2067', '\u2068', '\u2069' -> true; // isolates
      default -> c < 0xa0 || isLoneSurrogate(text, i);
    };
  }

  /** Returns whether the character at an index is half of an incomplete surrogate pair. */
  public static boolean isLoneSurrogate(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    return Character.isLowSurrogate(c)
        && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }

  private static void escape(char c, StringBuilder line) {
    int named = NAMED.indexOf(c);
    if (named >= 0) {
      line.append('\\').append(NAMES.charAt(named));
    } else {
      line.append(String.format("\\u%04x", (int) c));
    }
  }

  /**
   * Formats a template of {@link String#format} as a sentence: a plural noun after <code>%d</code>,
   * and the verb after the noun, become singular if the count is 1; for an array named "array", the
   * text is "the array" instead of "array array".
   */
  public static String sentence(String template, @Nullable Object... args) {
    StringBuilder sentence = new StringBuilder();
    Matcher specifier = SPECIFIER.matcher(template);
    int done = 0;
    for (int i = 0; specifier.find(); ) {
      if (specifier.group().equals("%%") || specifier.group().equals("%n")) {
        continue;
      }
      Object value = args[i++];
      String before = template.substring(done, specifier.start());
      String repeated = value + " ";
      boolean isDouble =
          value != null && NOUNS.contains(value) && (" " + before).endsWith(" " + repeated);
      sentence.append(before, 0, before.length() - (isDouble ? repeated.length() : 0));
      sentence.append(isDouble ? "the " : "").append(specifier.group());
      done = specifier.end();
      Matcher plural = PLURAL.matcher(template).region(done, template.length());
      boolean isOne = value instanceof Number count && count.longValue() == 1;
      if (isOne && specifier.group().endsWith("d") && plural.lookingAt()) {
        sentence.append(singular(plural));
        done = plural.end();
      }
    }
    return String.format(sentence.append(template.substring(done)).toString(), args);
  }

  private static String singular(Matcher plural) {
    String noun = plural.group(2).replaceFirst("ies$", "y").replaceFirst("(ss|x)es$|s$", "$1");
    return plural.group(1)
        + noun
        + (plural.group(3) == null ? "" : SINGULAR_VERBS.get(plural.group(3)));
  }
}
