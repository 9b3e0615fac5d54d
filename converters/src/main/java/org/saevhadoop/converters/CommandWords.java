package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.TypedText;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The words of a command line, checked before picocli parses them, because picocli reports missing
 * words before words that it does not understand. Options before the command are moved after it,
 * and the usual words for help become {@code --help}. All words after {@code --} are paths.
 */
final class CommandWords {
  private static final Set<String> HELP = Set.of("help", "-help", "--h", "-?", "/?");
  private static final Set<String> VERSION = Set.of("version", "-version");

  private final Commands commands;
  private final UnknownWord unknown;

  CommandWords(Commands commands) {
    this.commands = commands;
    this.unknown = new UnknownWord(commands);
  }

  /**
   * Returns the words for picocli, with the command first.
   *
   * @throws ParameterException if a word is not understood; the message names the expected words
   */
  List<String> arrange(List<String> typed) {
    List<String> words = helpOf(commandFirst(typed));
    String first = words.isEmpty() ? "" : words.get(0);
    CommandLine command = commands.get(first);
    if (command != null) {
      String help = helpOption(command.getCommandSpec(), words);
      if (help != null) {
        return List.of(first, help);
      }
      new WordCheck(command, unknown).check(words.subList(1, words.size()));
      return words;
    }
    if (!isDashed(first)) {
      throw unknown.command(first);
    }
    String help = helpOption(commands.root().getCommandSpec(), words);
    if (help == null) {
      throw withoutCommand(words);
    }
    commands.describe(help);
    return List.of(help);
  }

  /** Replaces words that ask for help or for the version. */
  private List<String> helpOf(List<String> words) {
    String first = words.isEmpty() ? "" : words.get(0);
    if (VERSION.contains(first)) {
      return List.of("--version");
    }
    if (HELP.contains(first)) {
      return words.size() == 1 || isDashed(words.get(1))
          ? List.of("--help")
          : List.of(words.get(1), "--help");
    }
    boolean isAsked = words.size() == 2 && HELP.contains(words.get(1));
    return isAsked && commands.has(first) ? List.of(first, "--help") : words;
  }

  private static @Nullable String helpOption(CommandSpec command, List<String> words) {
    for (String word : beforeEnd(words)) {
      OptionSpec option = command.optionsMap().get(word);
      if (option != null && (option.usageHelp() || option.versionHelp())) {
        return word;
      }
    }
    return null;
  }

  private ParameterException withoutCommand(List<String> words) {
    for (String word : beforeEnd(words)) {
      if (isDashed(word) && !unknown.isOptionOfAny(word)) {
        return unknown.option(commands.root(), word);
      }
    }
    return unknown.missingCommand();
  }

  /** Moves the command in front of its options. */
  private List<String> commandFirst(List<String> words) {
    for (boolean strict : new boolean[] {true, false}) {
      for (int i = 0; i < beforeEnd(words).size(); i++) {
        CommandLine command = commands.get(words.get(i));
        List<String> before = words.subList(0, i);
        if (command != null && areOptions(before, command.getCommandSpec(), strict)) {
          return moved(words, i, strict);
        }
      }
    }
    return words;
  }

  /**
   * Returns the words with the options after the command; an option whose value is missing must not
   * take another word as its value.
   */
  private static List<String> moved(List<String> words, int command, boolean strict) {
    int end = beforeEnd(words).size();
    List<String> moved = new ArrayList<>(words.subList(command, command + 1));
    moved.addAll(strict ? words.subList(0, command) : words.subList(command + 1, end));
    moved.addAll(strict ? words.subList(command + 1, end) : words.subList(0, command));
    moved.addAll(words.subList(end, words.size()));
    return moved;
  }

  /**
   * Returns whether the words are options of a command, with their values.
   *
   * @param strict whether all options must be known and complete
   */
  private static boolean areOptions(List<String> words, CommandSpec command, boolean strict) {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      OptionSpec option = WordCheck.option(command, word);
      boolean takesNext = option != null && WordCheck.takesNext(option, word);
      boolean isGuess = option == null && !strict && isDashed(word);
      if (option == null && !isGuess || takesNext && strict && i + 1 == words.size()) {
        return false;
      }
      if (takesNext || isGuess && i + 1 < words.size() && !isDashed(words.get(i + 1))) {
        i++;
      }
    }
    return true;
  }

  private static List<String> beforeEnd(List<String> words) {
    int end = words.indexOf("--");
    return end < 0 ? words : words.subList(0, end);
  }

  /** Returns whether a word begins with a hyphen or another dash. */
  static boolean isDashed(String word) {
    return word.length() > 1 && TypedText.plain(word).startsWith("-");
  }
}
