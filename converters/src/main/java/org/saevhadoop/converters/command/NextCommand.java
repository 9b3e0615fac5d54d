package org.saevhadoop.converters.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.mapreduce.conf.CommandOption;
import org.saevhadoop.mapreduce.conf.SettingKey;
import picocli.CommandLine.ParseResult;

/** The command that usually follows one that has succeeded, which a note names. */
public final class NextCommand {
  private static final String INPUT = SettingKey.PREFIX + "input.";

  private final SourceCommand before;
  private final List<String> words = new ArrayList<>();

  private NextCommand(SourceCommand before) {
    this.before = before;
  }

  /** Returns a command without options. */
  public static NextCommand of(SourceCommand before, String name, String... paths) {
    NextCommand next = new NextCommand(before);
    next.words.add(name);
    for (String path : paths) {
      next.words.add(path.startsWith("-") ? "./" + path : path);
    }
    return next;
  }

  public NextCommand with(Collection<String> options) {
    words.addAll(options);
    return this;
  }

  /** Adds the options that were typed and that control what is read, and how. */
  public NextCommand withTyped() {
    typed(
        (key, option) -> {
          words.add(option.name());
          words.addAll(option.isFlag() ? List.of() : values(option));
        });
    return this;
  }

  /** Adds them as keys of the first of several sources. */
  NextCommand withTypedOfFirst() {
    typed(
        (key, option) -> {
          String value = option.isFlag() ? option.value() : key.type().join(values(option));
          words.addAll(1, List.of("-D", key.name().replace(INPUT, INPUT + "0.") + "=" + value));
        });
    return this;
  }

  private void typed(BiConsumer<SettingKey<?>, CommandOption> action) {
    Set<String> names = new HashSet<>(); // several formats may have the same key
    for (KeyOptions.Group group : before.keyGroups()) {
      for (SettingKey<?> key : group.keys()) {
        for (CommandOption option : key.options()) {
          boolean isTyped = key.name().startsWith(INPUT) && before.options.isTyped(option.name());
          if (isTyped && names.add(option.name())) {
            action.accept(key, option);
          }
        }
      }
    }
  }

  private List<String> values(CommandOption option) {
    ParseResult parsed = before.spec.commandLine().getParseResult();
    return parsed.matchedOption(option.name()).stringValues();
  }

  /**
   * Shows the note.
   *
   * @param purpose what the command does, such as {@code checks it}
   */
  public void show(String purpose) {
    before.console.message("note: %s %s".formatted(line(), purpose));
  }

  /** Returns the command line. */
  public String line() {
    return "saev-hadoop "
        + words.stream().map(NestedCommands::quote).collect(Collectors.joining(" "));
  }
}
