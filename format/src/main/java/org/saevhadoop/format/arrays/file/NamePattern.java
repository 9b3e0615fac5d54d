package org.saevhadoop.format.arrays.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pattern of array names or file paths: text with placeholders such as {@code
 * blocks.{layer}.hook_resid_post}. A doubled brace represents one brace in the name.
 */
public final class NamePattern {
  /** The role of a part of a name. */
  public enum Part {
    /** The number of a layer in the model. */
    LAYER("-?[0-9]{1,9}"),
    /** The name of a layer or hook, which may contain its number. */
    HOOK("[^/]+"),
    /** A key by which files are sorted. */
    SHARD("[^/]+"),
    /** The id of an example. */
    EXAMPLE("[^/]+");

    private final String regex;

    Part(String regex) {
      this.regex = regex;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final String LAYER = "{layer}";
  static final String SHARD = "{shard}";

  private static final Pattern TOKEN = Pattern.compile("\\{\\{|\\}\\}|\\{([a-z]*)\\}|[{}]|[^{}]+");

  private static final Pattern DIGITS =
      Pattern.compile("(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])");

  private final String text;
  private final boolean isPath;

  /**
   * Null until a name is matched, which never happens for most patterns that match a single name.
   */
  private volatile @Nullable Pattern regex;

  private final String regexText;
  private final Set<Part> parts = EnumSet.noneOf(Part.class);

  private NamePattern(String text, boolean isPath) {
    this.text = text;
    this.isPath = isPath;
    StringBuilder pattern = new StringBuilder();
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      pattern.append(token.group(1) == null ? literal(token.group()) : group(token.group(1)));
    }
    this.regexText = pattern.toString();
  }

  /**
   * Parses a pattern of paths; a placeholder does not match a slash.
   *
   * @throws IllegalArgumentException if the pattern has an unknown placeholder or a single brace
   */
  public static NamePattern parse(String text) {
    return new NamePattern(text, true);
  }

  /**
   * Parses a pattern of array names, in which a slash is an ordinary character.
   *
   * @throws IllegalArgumentException under the same conditions as in {@link #parse}
   */
  public static NamePattern ofArrays(String text) {
    return new NamePattern(text, false);
  }

  /** Returns a pattern that matches only one name. */
  public static NamePattern literally(String name) {
    return new NamePattern(escaped(name), true);
  }

  /** Returns a name, or a part of a name, escaped for use in a pattern. */
  public static String escaped(String name) {
    return name.replace("{", "{{").replace("}", "}}");
  }

  /**
   * Returns the pattern of names that differ only in numbers.
   *
   * @param placeholder the placeholder for the number; {@code {shard}} can represent several
   *     numbers and the text between them
   */
  public static Optional<String> ofNumbers(List<String> names, String placeholder) {
    List<Integer> differing = differing(names);
    int last = differing.size() - 1;
    if (last < 0 || last > 0 && !placeholder.equals(SHARD)) {
      return Optional.empty();
    }
    List<String> parts = parts(names.get(0));
    replace(parts, differing.get(0), differing.get(last), placeholder);
    return Optional.of(String.join("", parts));
  }

  /**
   * Returns the patterns of names that differ in several numbers: the first or last number is
   * {@code {layer}}, and the others, with the text between them, are {@code {shard}}.
   */
  static List<String> ofSeveralNumbers(List<String> names) {
    List<Integer> differing = differing(names);
    int last = differing.size() - 1;
    if (last < 1) {
      return List.of();
    }
    List<String> first = parts(names.get(0));
    replace(first, differing.get(1), differing.get(last), SHARD);
    replace(first, differing.get(0), differing.get(0), LAYER);
    List<String> other = parts(names.get(0));
    replace(other, differing.get(last), differing.get(last), LAYER);
    replace(other, differing.get(0), differing.get(last - 1), SHARD);
    return List.of(String.join("", first), String.join("", other));
  }

  /** Returns the numbers in a name and the text between them, escaped for use in a pattern. */
  private static List<String> parts(String name) {
    return Arrays.stream(DIGITS.split(name))
        .map(NamePattern::escaped)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static void replace(List<String> parts, int first, int last, String placeholder) {
    parts.subList(first, last + 1).clear();
    parts.add(first, placeholder);
  }

  /**
   * Returns the positions, among the parts of a name, of the numbers in which names differ; empty
   * if the names also differ in other parts.
   */
  private static List<Integer> differing(List<String> names) {
    String[] first = DIGITS.split(names.get(0));
    SortedSet<Integer> differing = new TreeSet<>();
    for (String name : names) {
      String[] parts = DIGITS.split(name);
      if (parts.length != first.length) {
        return List.of();
      }
      for (int i = 0; i < parts.length; i++) {
        if (!parts[i].equals(first[i])) {
          if (!Character.isDigit(parts[i].charAt(0)) || !Character.isDigit(first[i].charAt(0))) {
            return List.of();
          }
          differing.add(i);
        }
      }
    }
    return List.copyOf(differing);
  }

  private static String literal(String token) {
    if (token.length() == 1 && "{}".contains(token)) {
      throw new IllegalArgumentException(
          "a single %s (expected {{ or }} for a brace of the name)".formatted(token));
    }
    return Pattern.quote(token.equals("{{") || token.equals("}}") ? token.substring(1) : token);
  }

  private String group(String word) {
    for (Part part : Part.values()) {
      if (part.word().equals(word)) {
        return parts.add(part)
            ? "(?<%s>%s)".formatted(word, isPath ? part.regex : part.regex.replace("[^/]", "."))
            : "\\k<%s>".formatted(word);
      }
    }
    throw new IllegalArgumentException(
        "{%s} (expected %s)"
            .formatted(
                word,
                EnumSet.allOf(Part.class).stream()
                    .map(part -> "{" + part.word() + "}")
                    .collect(Collectors.joining(", "))));
  }

  /** Returns the placeholders. */
  public Set<Part> parts() {
    return parts;
  }

  /** Returns the values of the placeholders in a name; empty if the name does not match. */
  public Optional<Map<Part, String>> match(String name) {
    Pattern compiled = regex;
    if (compiled == null) {
      compiled = Pattern.compile(regexText, Pattern.DOTALL);
      regex = compiled;
    }
    Matcher matcher = compiled.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Map<Part, String> found = new EnumMap<>(Part.class);
    parts.forEach(part -> found.put(part, matcher.group(part.word())));
    return Optional.of(found);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern pattern && pattern.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the text that {@link #parse} accepts. */
  @Override
  public String toString() {
    return text;
  }
}
