package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.saevhadoop.format.settings.SettingKey;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options of a command under one heading. */
record OptionSection(String heading, List<OptionLine> lines) {
  /** The heading of the parameters of a command. */
  static final String ARGUMENTS = "Arguments";

  /** The heading of the options that all commands have. */
  static final String OF_ALL_COMMANDS = "Options of all commands";

  OptionSection {
    lines = List.copyOf(lines);
  }

  /**
   * Returns the sections of a command: its parameters, the options that it declares, the options
   * that set keys, by group, and the options common to all commands.
   */
  static List<OptionSection> of(CommandSpec command, List<KeyOptions.Group> groups) {
    List<OptionSection> sections = new ArrayList<>();
    sections.add(
        new OptionSection(
            ARGUMENTS, command.positionalParameters().stream().map(OptionLine::of).toList()));
    if (command.parent() == null) {
      sections.add(ofAllCommands(command, false, true));
    } else {
      List<OptionLine> declared = declared(command);
      Set<String> names =
          declared.stream().flatMap(line -> line.names().stream()).collect(Collectors.toSet());
      sections.add(new OptionSection("Options", declared));
      sections.addAll(ofKeys(groups, names));
      sections.add(ofAllCommands(command, true, false));
    }
    return sections.stream().filter(section -> !section.lines.isEmpty()).toList();
  }

  private static OptionSection ofAllCommands(
      CommandSpec command, boolean inherited, boolean everyday) {
    return new OptionSection(
        OF_ALL_COMMANDS,
        command.options().stream()
            .filter(option -> option.inherited() == inherited)
            .map(option -> OptionLine.of(option, everyday))
            .toList());
  }

  /**
   * Returns the options of a command that have a description; options that set keys have no
   * description.
   */
  private static List<OptionLine> declared(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.inherited() && !option.hidden())
        .filter(option -> option.description().length > 0)
        .map((OptionSpec option) -> OptionLine.of(option, true))
        .toList();
  }

  /**
   * Returns the sections for keys. A key that belongs to several groups is in a separate section.
   *
   * @param declared the options that the command itself declares, even if they set a key
   */
  private static List<OptionSection> ofKeys(List<KeyOptions.Group> groups, Set<String> declared) {
    Map<String, Set<SettingKey<?>>> byTitle = new LinkedHashMap<>();
    for (KeyOptions.Group group : groups) {
      for (SettingKey<?> key : group.keys()) {
        String title =
            joined(
                groups.stream()
                    .filter(other -> other.keys().contains(key))
                    .map(KeyOptions.Group::title)
                    .toList());
        byTitle.computeIfAbsent(title, t -> new LinkedHashSet<>()).add(key);
      }
    }
    List<OptionSection> sections = new ArrayList<>();
    byTitle.forEach(
        (title, keys) -> sections.add(new OptionSection(heading(title), lines(keys, declared))));
    return sections;
  }

  /**
   * Joins titles: {@code reading x} and {@code reading y} become {@code reading x} and {@code y}.
   */
  private static String joined(List<String> titles) {
    String verb = titles.get(0).substring(0, titles.get(0).indexOf(' ') + 1);
    return titles.get(0)
        + titles.stream()
            .skip(1)
            .map(title -> ", " + (title.startsWith(verb) ? title.substring(verb.length()) : title))
            .collect(Collectors.joining());
  }

  private static String heading(String title) {
    return Character.toUpperCase(title.charAt(0)) + title.substring(1);
  }

  private static List<OptionLine> lines(Set<SettingKey<?>> keys, Set<String> declared) {
    return keys.stream()
        .flatMap(key -> key.options().stream().map(option -> OptionLine.of(key, option)))
        .filter(line -> line.names().stream().noneMatch(declared::contains))
        .toList();
  }
}
