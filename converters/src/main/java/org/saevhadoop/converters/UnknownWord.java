package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.settings.TypedText;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Errors for words that are neither a command nor an option, with suggestions of what to type
 * instead.
 */
record UnknownWord(Commands commands) {
  private static final Pattern WITH_VALUE = Pattern.compile("([^=:]+)[=:](.*)", Pattern.DOTALL);

  ParameterException missingCommand() {
    return new ParameterException(
        commands.root(),
        "a command is missing (expected %s)".formatted(NearestWord.or(commands.names())));
  }

  ParameterException command(String word) {
    if (word.isEmpty()) {
      return missingCommand();
    }
    List<String> known = Synonyms.command(TypedText.plain(word));
    List<String> near =
        known.isEmpty() ? NearestWord.suggestions(TypedText.plain(word), commands.names()) : known;
    return new ParameterException(
        commands.root(),
        "unknown command \"%s\" (expected %s)"
            .formatted(word, NearestWord.or(near.isEmpty() ? commands.names() : near)));
  }

  /** Returns whether a word is an option of any command. */
  boolean isOptionOfAny(String word) {
    return WordCheck.option(commands.root().getCommandSpec(), word) != null
        || commands.all().stream()
            .anyMatch(command -> WordCheck.option(command.getCommandSpec(), word) != null);
  }

  /**
   * Returns the options that a word may denote, each with the value from the word if it contains
   * one.
   */
  List<String> suggestions(CommandLine command, String word) {
    Matcher parts = WITH_VALUE.matcher(TypedText.plain(word));
    boolean hasValue = parts.matches();
    String name = hasValue ? parts.group(1) : TypedText.plain(word);
    Map<String, String> options = new LinkedHashMap<>();
    for (CommandLine each : command == commands.root() ? all() : List.of(command)) {
      each.getCommandSpec()
          .optionsMap()
          .keySet()
          .forEach(option -> options.put(bare(option), option));
    }
    GenericOptions.LABELS.keySet().forEach(option -> options.putIfAbsent(bare(option), option));
    return NearestWord.suggestions(bare(name), options.keySet()).stream()
        .map(options::get)
        .map(option -> hasValue ? option + "=" + parts.group(2) : option)
        .toList();
  }

  private List<CommandLine> all() {
    List<CommandLine> all = new ArrayList<>(commands.all());
    all.add(commands.root());
    return all;
  }

  ParameterException option(CommandLine command, String word) {
    String generic = word.startsWith("-D") ? "-D" : word;
    if (GenericOptions.LABELS.containsKey(generic)) {
      return new ParameterException(
          command,
          "%s is incomplete (expected %s %s)"
              .formatted(word, generic, GenericOptions.LABELS.get(generic)));
    }
    String problem =
        TypedText.unusual(word)
            .map(
                unusual ->
                    (word.startsWith("\"") ? word : '"' + word + '"') + " begins with " + unusual)
            .orElse("unknown option " + word);
    return new ParameterException(command, problem + expected(command, word));
  }

  /**
   * Returns the end of a message, which names the word that was probably meant: an option of
   * another command is named only if no option of this command is very similar.
   */
  private String expected(CommandLine command, String word) {
    Matcher withValue = WITH_VALUE.matcher(word);
    String value = withValue.matches() ? "=" + withValue.group(2) : "";
    List<String> known =
        Synonyms.option(command.getCommandSpec(), TypedText.plain(word)).stream()
            .map(typed -> typed.matches("--[a-z-]+") ? typed + value : typed)
            .toList();
    if (!known.isEmpty()) {
      return " (expected " + NearestWord.or(known) + ")";
    }
    List<String> near = suggestions(command, word);
    boolean isClose = near.stream().anyMatch(name -> name.length() <= word.length() + 1);
    // searching the options of other commands takes longer than the rest of the run
    List<String> others = isClose ? List.of() : others(command, word);
    if (!others.isEmpty()) {
      return ": %s does not have it (expected the command %s)"
          .formatted(command.getCommandName(), NearestWord.or(others));
    }
    return near.isEmpty() ? "" : " (expected " + NearestWord.or(near) + ")";
  }

  /** Returns the other commands that have the given option. */
  private List<String> others(CommandLine command, String word) {
    return commands.having(word).stream()
        .filter(other -> !other.equals(command.getCommandName()))
        .toList();
  }

  /** Returns the name of an option without its hyphens. */
  private static String bare(String option) {
    return option.replaceFirst("^-+", "");
  }
}
