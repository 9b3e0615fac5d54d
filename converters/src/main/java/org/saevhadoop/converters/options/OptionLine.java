package org.saevhadoop.converters.options;

import java.util.List;
import org.saevhadoop.format.settings.CommandOption;
import org.saevhadoop.format.settings.SettingKey;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * An option or a parameter, as shown in help and documentation.
 *
 * @param usage its names and the placeholder for its value, such as {@code --to=FORMAT}
 * @param help its meaning; the first sentence is a summary
 * @param everyday whether {@code --help} shows it, not only {@code --help-all}
 */
record OptionLine(String usage, String help, boolean everyday) {
  private static final String CANDIDATES = "${COMPLETION-CANDIDATES}";

  static OptionLine of(PositionalParamSpec parameter) {
    return new OptionLine(parameter.paramLabel(), description(parameter), true);
  }

  /**
   * Returns the line of an option that a command declares.
   *
   * @param everyday whether {@code --help} shows it
   */
  static OptionLine of(OptionSpec option, boolean everyday) {
    String names = String.join(", ", option.names());
    String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    boolean optional = option.arity().min() < option.arity().max();
    return new OptionLine(
        names + (optional ? "[" + value + "]" : value), description(option), everyday);
  }

  /** Returns the line of an option that sets a key. */
  static OptionLine of(SettingKey<?> key, CommandOption option) {
    String value = option.isFlag() ? "" : "=" + key.type().label();
    String help = option.help() == null ? help(key) : option.help();
    return new OptionLine(option.name() + value, help, option.everyday());
  }

  List<String> names() {
    return List.of(usage.split("\\[?=", 2)[0].split(", "));
  }

  /** Returns the first sentence of the help. */
  String summary() {
    return help.split("(?<=\\.) ", 2)[0];
  }

  private static String description(ArgSpec option) {
    String text = String.join(" ", option.description());
    return option.completionCandidates() == null
        ? text
        : text.replace(CANDIDATES, String.join(", ", option.completionCandidates()));
  }

  /** Returns the help of a key with its values and its default. */
  private static String help(SettingKey<?> key) {
    String expected = expected(key);
    return key.help()
        + (expected.isEmpty() ? "" : " Value: " + expected + ".")
        + (key.defaultText() == null ? "" : " Default: " + key.defaultText() + ".");
  }

  /** Returns the values of a key; empty if the label of its option shows all of them. */
  private static String expected(SettingKey<?> key) {
    String expected = key.type().expected();
    String words = expected.replace(", ", " ").replace(" or ", " ");
    return key.type().label().replace("|", " ").equals(words) ? "" : expected;
  }
}
