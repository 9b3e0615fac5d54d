package org.saevhadoop.format.arrays.file;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pattern of names of arrays, or of paths of files: text with placeholders such as {@code
 * blocks.{layer}.hook_resid_post}. Two braces are one brace of the name.
 */
public final class NamePattern {
  /** What a part of a name is. */
  public enum Part {
    /** The number of a layer in the model. */
    LAYER("-?[0-9]{1,9}"),
    /** The name of what is a layer, which may contain its number. */
    HOOK("[^/]+"),
    /** What orders the files. */
    SHARD("[^/]+"),
    /** What identifies an example. */
    EXAMPLE("[^/]+");

    private final String regex;

    Part(String regex) {
      this.regex = regex;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Pattern TOKEN = Pattern.compile("\\{\\{|\\}\\}|\\{([a-z]*)\\}|[{}]|[^{}]+");

  private final String text;

  /** Null until a name is matched, as most patterns of single names never are. */
  private volatile @Nullable Pattern regex;

  private final String regexText;
  private final Set<Part> parts = EnumSet.noneOf(Part.class);

  private NamePattern(String text) {
    this.text = text;
    StringBuilder pattern = new StringBuilder();
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      pattern.append(token.group(1) == null ? literal(token.group()) : group(token.group(1)));
    }
    this.regexText = pattern.toString();
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it has an unknown placeholder, or a single brace
   */
  public static NamePattern parse(String text) {
    return new NamePattern(text);
  }

  /** Returns the pattern of one name. */
  public static NamePattern literally(String name) {
    return new NamePattern(escaped(name));
  }

  /** Returns the text that is a name, or a part of it, in a pattern. */
  public static String escaped(String name) {
    return name.replace("{", "{{").replace("}", "}}");
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
            ? "(?<%s>%s)".formatted(word, part.regex)
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

  /** Returns what the placeholders stand for in a name; empty if the name does not match. */
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
