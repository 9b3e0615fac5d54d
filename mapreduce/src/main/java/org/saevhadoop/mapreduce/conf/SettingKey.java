package org.saevhadoop.mapreduce.conf;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.Quote;

/**
 * A setting. Everything there is to say about it stands in its declaration: the help texts, the
 * option tables and docs/configuration.md are made from it.
 *
 * @param name its name in a job's configuration
 * @param type the type of its value, with its range
 * @param defaultText the value if none is set; null if there is none
 * @param help what it means: one or two sentences, without range and default
 * @param options the options of the command line that set it
 * @param internal whether only this project sets it
 */
public record SettingKey<T>(
    String name,
    ValueType<T> type,
    String defaultText,
    String help,
    List<CommandOption> options,
    boolean internal) {
  /** The beginning of every name. */
  public static final String PREFIX = "saev.";

  private static final int MAX_SHOWN = 200;

  public SettingKey {
    options = List.copyOf(options);
    if (!name.startsWith(PREFIX)) {
      throw new IllegalArgumentException(name + " does not begin with " + PREFIX);
    }
  }

  /** Returns a key that only a configuration sets. */
  public static <T> SettingKey<T> of(
      String name, ValueType<T> type, String defaultText, String help) {
    return new SettingKey<>(name, type, defaultText, help, List.of(), false);
  }

  /** Returns a key by which this project hands a value to its own tasks. */
  public static <T> SettingKey<T> internal(
      String name, ValueType<T> type, String defaultText, String help) {
    return new SettingKey<>(name, type, defaultText, help, List.of(), true);
  }

  /** Returns the same key, set by an option that takes the value. */
  public SettingKey<T> option(String option) {
    return with(new CommandOption(option, null, null));
  }

  /** Returns the same key, set to a value by an option that takes none. */
  public SettingKey<T> flag(String option, String value, String optionHelp) {
    parse(value, option);
    return with(new CommandOption(option, value, optionHelp));
  }

  private SettingKey<T> with(CommandOption option) {
    List<CommandOption> more = new ArrayList<>(options);
    more.add(option);
    return new SettingKey<>(name, type, defaultText, help, more, internal);
  }

  /** Returns the value if none is set; null if there is none. */
  public T defaultValue() {
    return defaultText == null ? null : type.parse(defaultText);
  }

  /**
   * Parses a value.
   *
   * @param typedAs what the message names: the option or the key
   * @throws SettingException if it is not one of the values
   */
  public T parse(String text, String typedAs) {
    if (text.isEmpty()) {
      throw new SettingException(typedAs + " is empty (expected " + type.expected() + ")");
    }
    try {
      return type.parse(text);
    } catch (SettingException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new SettingException(typedAs + " is " + shown(text) + problem(e), e);
    }
  }

  private static String shown(String text) {
    if (text.matches("-?\\d{1,30}")) {
      return text;
    }
    return '"' + Quote.show(text, MAX_SHOWN) + '"';
  }

  private String problem(IllegalArgumentException e) {
    // Java's own messages say less than what was expected
    boolean said = e.getMessage() != null && !(e instanceof NumberFormatException);
    String problem = said ? ": " + e.getMessage() : "";
    return problem.contains("(expected ")
        ? problem
        : problem + " (expected " + type.expected() + ")";
  }

  /** Keys are known by their names. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SettingKey<?> key && key.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
