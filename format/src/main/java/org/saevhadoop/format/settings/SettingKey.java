package org.saevhadoop.format.settings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;

/**
 * A typed setting. Its declaration is the only description of the setting: help texts, option
 * tables and docs/configuration.md are generated from it.
 *
 * @param name the name in a job's configuration
 * @param type the type of the value, which includes its range
 * @param defaultText the text of the default value; null if there is no default
 * @param help the meaning of the setting in one or two sentences, without its range and default
 * @param options the command line options that set it
 * @param internal whether the key is set only by this project, not by the user
 */
public record SettingKey<T>(
    String name,
    ValueType<T> type,
    @Nullable String defaultText,
    String help,
    List<CommandOption> options,
    boolean internal) {
  /** Prefix of the name of every key. */
  public static final String PREFIX = "saev.";

  private static final int MAX_SHOWN = 200;

  public SettingKey {
    options = List.copyOf(options);
    if (!name.startsWith(PREFIX)) {
      throw new IllegalArgumentException(name + " does not begin with " + PREFIX);
    }
  }

  /** Returns a key without a command line option. */
  public static <T> SettingKey<T> of(
      String name, ValueType<T> type, @Nullable String defaultText, String help) {
    return new SettingKey<>(name, type, defaultText, help, List.of(), false);
  }

  /** Returns a key with which this project passes a value to its own tasks. */
  public static <T> SettingKey<T> internal(
      String name, ValueType<T> type, @Nullable String defaultText, String help) {
    return new SettingKey<>(name, type, defaultText, help, List.of(), true);
  }

  /** Returns an internal key whose value is a path, a class or another name. */
  public static SettingKey<String> internalName(String name, String help) {
    return internal(name, SettingTypes.name("NAME", "a name"), null, help);
  }

  /** Returns an internal key whose value is false unless it is set. */
  public static SettingKey<Boolean> internalFlag(String name, String help) {
    return internal(name, SettingTypes.bool(), "false", help);
  }

  /** Returns this key with an option that takes the value as its argument. */
  public SettingKey<T> option(String option) {
    return with(new CommandOption(option, null, null));
  }

  /** Returns this key with an option that takes no argument and sets the key to a fixed value. */
  public SettingKey<T> flag(String option, String value, String optionHelp) {
    parse(value, option);
    return with(new CommandOption(option, value, optionHelp));
  }

  /**
   * Returns this key with its options marked as everyday options: {@code --help} shows the first
   * sentence of their help.
   */
  public SettingKey<T> everyday() {
    return with(
        options.stream().map(o -> new CommandOption(o.name(), o.value(), o.help(), true)).toList());
  }

  private SettingKey<T> with(CommandOption option) {
    List<CommandOption> more = new ArrayList<>(options);
    more.add(option);
    return with(more);
  }

  private SettingKey<T> with(List<CommandOption> more) {
    return new SettingKey<>(name, type, defaultText, help, more, internal);
  }

  /** Returns the default value; null if there is none. */
  public @Nullable T defaultValue() {
    return defaultText == null ? null : type.parse(defaultText);
  }

  /**
   * Parses a value.
   *
   * @param typedAs the option or the key that the message names
   * @throws SettingException if the text is not a valid value of this key
   */
  public T parse(String text, @Nullable String typedAs) {
    if (text.isEmpty()) {
      throw new SettingException(typedAs + " is empty (expected " + type.expected() + ")");
    }
    try {
      return type.parse(text);
    } catch (SettingException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new SettingException(typedAs + " is " + shown(text) + problem(text, e), e);
    }
  }

  private static String shown(String text) {
    if (text.matches("-?\\d{1,30}")) {
      return text;
    }
    return '"' + Quote.show(text, MAX_SHOWN) + '"';
  }

  private String problem(String text, IllegalArgumentException e) {
    for (String repaired : TypedText.repairs(text)) {
      if (isValue(repaired)) {
        String unusual = TypedText.unusual(text).map(", which has "::concat).orElse("");
        return unusual + " (expected " + repaired + ")";
      }
    }
    String said = e.getMessage();
    String expected = " (expected " + type.expected() + ")";
    if (said == null || e instanceof NumberFormatException) {
      return expected; // messages of java.lang are less specific
    }
    if (said.startsWith('"' + text + "\" (expected ")) {
      return said.substring(text.length() + 2);
    }
    return said.contains("(expected ") ? ": " + said : ": " + said + expected;
  }

  private boolean isValue(String text) {
    try {
      type.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Compares keys by name. */
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
