package org.saevhadoop.converters;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Words of other programs and their equivalents in this program: the table {@code synonyms.txt}.
 */
final class Synonyms {
  private static final String COMMANDS = "commands";
  private static final String OPTIONS = "options ";
  private static final String VALUES = "values ";

  private static final Pattern EXPECTED = Pattern.compile("\\(expected .*\\)$", Pattern.DOTALL);

  /** The words of a section of the table, each with the words to type instead. */
  private record Row(String section, List<String> words, List<String> typed) {}

  private static final List<Row> ROWS = read();

  private Synonyms() {}

  private static List<Row> read() {
    String table;
    try (InputStream in = Synonyms.class.getResourceAsStream("synonyms.txt")) {
      table = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : table.split("\n")) {
      String[] sides = line.split(" = ", 2);
      if (line.startsWith("[")) {
        section = line.substring(1, line.length() - 1);
      } else if (sides.length == 2 && !line.startsWith("#")) {
        rows.add(new Row(section, words(sides[0]), List.of(sides[1].split(" \\| "))));
      }
    }
    return List.copyOf(rows);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  /** Returns the words to type instead of a command; empty if none are known. */
  static List<String> command(String word) {
    return typed(word, COMMANDS::equals);
  }

  /** Returns the words to type instead of an option of a command; empty if none are known. */
  static List<String> option(CommandSpec command, String word) {
    String name = word.replaceFirst("=.*", "").replace('_', '-');
    String bare = name.matches("-\\p{Alpha}\\d+") ? name.substring(0, 2) : name;
    return typed(
        bare,
        section ->
            section.startsWith(OPTIONS)
                && words(section.substring(OPTIONS.length())).stream()
                    .anyMatch(of -> isOf(command, of)));
  }

  private static boolean isOf(CommandSpec command, String nameOrOption) {
    return command.name().equals(nameOrOption) || command.optionsMap().containsKey(nameOrOption);
  }

  /**
   * Returns a message about the value of an option, followed by the words to type instead, if they
   * are known.
   *
   * @param words the words of the command line, which contain the value
   */
  static String withValue(String message, List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      String[] word = words.get(i).split("=", 2);
      String value = word.length == 2 ? word[1] : i + 1 < words.size() ? words.get(i + 1) : "";
      if (message.startsWith(word[0] + ": ") || message.startsWith(word[0] + " is ")) {
        List<String> typed = typed(value, (VALUES + word[0])::equals);
        if (!typed.isEmpty()) {
          String expected = "(expected " + String.join(" or ", typed) + ")";
          return EXPECTED.matcher(message).replaceFirst(Matcher.quoteReplacement(expected));
        }
      }
    }
    return message;
  }

  private static List<String> typed(String word, Predicate<String> isAsked) {
    return ROWS.stream()
        .filter(row -> isAsked.test(row.section) && row.words.contains(word))
        .flatMap(row -> row.typed.stream())
        .distinct()
        .toList();
  }

  /** Returns the names of the options that the table refers to, including options with a value. */
  static Stream<String> requirements() {
    return ROWS.stream()
        .map(Row::section)
        .distinct()
        .filter(section -> !section.equals(COMMANDS))
        .flatMap(section -> words(section).stream().skip(1));
  }

  /** Returns all suggestions in the table. */
  static Stream<String> answers() {
    return ROWS.stream().flatMap(row -> row.typed.stream());
  }
}
