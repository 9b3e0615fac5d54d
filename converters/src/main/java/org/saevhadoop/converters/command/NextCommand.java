package org.saevhadoop.converters.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.mapreduce.DatasetFormats;
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

  /** Adds the options that were typed and that set one of these keys. */
  public NextCommand withTyped(Collection<? extends SettingKey<?>> keys) {
    for (SettingKey<?> key : keys) {
      for (CommandOption option : key.options()) {
        if (before.options.isTyped(option.name()) && isNew(option.name())) {
          words.add(option.name());
          words.addAll(option.isFlag() ? List.of() : values(option));
        }
      }
    }
    return this;
  }

  /** Adds keys of the first source, with the values of options that were typed. */
  NextCommand withTypedOfFirst(Collection<? extends SettingKey<?>> keys) {
    for (SettingKey<?> key : keys) {
      for (CommandOption option : key.options()) {
        if (before.options.isTyped(option.name())) {
          String value = option.isFlag() ? option.value() : key.type().join(values(option));
          String word = key.name().replace(INPUT, INPUT + "0.") + "=" + value;
          if (isNew(word)) {
            words.addAll(1, List.of("-D", word));
          }
        }
      }
    }
    return this;
  }

  /** Several formats may have the same key. */
  private boolean isNew(String word) {
    return !words.contains(word);
  }

  private List<String> values(CommandOption option) {
    ParseResult parsed = before.spec.commandLine().getParseResult();
    return parsed.matchedOption(option.name()).stringValues();
  }

  /** Returns the keys that control how files of any format are read. */
  public static List<SettingKey<?>> readingKeys(Console console) {
    List<SettingKey<?>> keys = new ArrayList<>();
    for (DatasetFormats.Entry entry : console.formats().all()) {
      keys.addAll(entry.format().readingKeys());
    }
    return keys;
  }

  /**
   * Shows the note.
   *
   * @param purpose what the command does, such as {@code checks it}
   */
  public void show(String purpose) {
    String line = words.stream().map(NestedCommands::quote).collect(Collectors.joining(" "));
    before.console.message("note: saev-hadoop %s %s".formatted(line, purpose));
  }
}
