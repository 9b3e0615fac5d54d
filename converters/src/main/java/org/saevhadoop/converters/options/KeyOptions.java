package org.saevhadoop.converters.options;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.CommandOption;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.source.SettingSource;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command that set keys. An option takes its label, range and default from the
 * key, and the type of the key checks its value before any file is opened.
 */
public final class KeyOptions {
  /**
   * Keys of a command.
   *
   * @param title the heading of their options, such as {@code reading pickle}; several titles are
   *     joined
   */
  public record Group(String title, List<SettingKey<?>> keys) {
    public Group {
      keys = List.copyOf(keys);
    }
  }

  private final CommandSpec command;
  private final List<Group> groups;

  /**
   * The keys that an option sets, by option name: at most one key for each format, and each key
   * only once.
   */
  private final Map<String, Set<SettingKey<?>>> byOption = new LinkedHashMap<>();

  private final Set<String> own = new HashSet<>();

  /** The names that were typed, kept because picocli collects them again for each query. */
  private @Nullable Set<String> typedNames;

  public KeyOptions(CommandSpec command, List<Group> groups) {
    this.command = command;
    this.groups = List.copyOf(groups);
    for (Group group : groups) {
      for (SettingKey<?> key : group.keys()) {
        for (CommandOption option : key.options()) {
          byOption.computeIfAbsent(option.name(), name -> new LinkedHashSet<>()).add(key);
        }
      }
    }
  }

  /** Adds the options, except for options that the command itself declares; these set keys, too. */
  public void add() {
    byOption.forEach(
        (name, keys) -> {
          if (command.findOption(name) == null) {
            command.addOption(spec(name, keys));
          } else {
            own.add(name);
          }
        });
  }

  private OptionSpec spec(String name, Set<SettingKey<?>> keys) {
    Set<String> labels = new LinkedHashSet<>();
    keys.forEach(key -> labels.add(key.type().label()));
    OptionSpec.Builder spec = OptionSpec.builder(name);
    return option(keys.iterator().next(), name).isFlag()
        ? spec.type(boolean[].class).arity("0").build()
        : spec.type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .paramLabel(String.join("|", labels))
            .completionCandidates(words(labels))
            .build();
  }

  /** Returns the values in labels that list values, such as {@code error|saturate|wrap}. */
  private static List<String> words(Set<String> labels) {
    return labels.stream()
        .filter(label -> label.matches("[a-z0-9-]+(\\|[a-z0-9-]+)+"))
        .flatMap(label -> Stream.of(label.split("\\|")))
        .toList();
  }

  private static CommandOption option(SettingKey<?> key, String name) {
    return key.options().stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Checks all options and all keys in the configuration, whether or not they have an effect.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @param warnings accepts warnings about unknown keys
   * @throws SettingException if a value is invalid, or two options exclude each other
   */
  public void check(
      @Nullable Configuration conf, Collection<SettingKey<?>> known, Consumer<String> warnings) {
    for (Map.Entry<String, Set<SettingKey<?>>> option : byOption.entrySet()) {
      if (isTyped(option.getKey())) {
        checkOption(option.getKey(), option.getValue());
      }
    }
    groups.forEach(group -> group.keys().forEach(this::checkExclusive));
    ConfSettings.check(conf, known, warnings);
  }

  private void checkOption(String name, Set<SettingKey<?>> keys) {
    SettingException first = null;
    for (SettingKey<?> key : keys) {
      try {
        key.parse(typed(name, key), name);
        return;
      } catch (SettingException e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }

  /** Checks that all options that set a key set it to the same value. */
  private void checkExclusive(SettingKey<?> key) {
    List<String> given =
        key.options().stream().map(CommandOption::name).filter(this::isTyped).toList();
    if (given.size() > 1) {
      Settings typed = Settings.NONE;
      for (String name : given) {
        typed = with(name, key, typed);
      }
    }
  }

  public boolean isTyped(String name) {
    if (typedNames == null) {
      typedNames =
          command.commandLine().getParseResult().matchedOptions().stream()
              .flatMap(option -> Stream.of(option.names()))
              .collect(Collectors.toSet());
    }
    return typedNames.contains(name);
  }

  /** Returns the text of the value that an option sets for a key. */
  private String typed(String name, SettingKey<?> key) {
    CommandOption option = option(key, name);
    if (option.isFlag()) {
      return Objects.requireNonNull(option.value());
    }
    List<String> values = command.commandLine().getParseResult().matchedOption(name).stringValues();
    if (!key.type().isList() && values.stream().distinct().count() > 1) {
      throw new SettingException(
          "%s is given twice, as \"%s\" and as \"%s\" (expected once)"
              .formatted(name, values.get(0), values.get(1)));
    }
    if (values.stream().anyMatch(String::isEmpty)) {
      return "";
    }
    return key.type().join(values);
  }

  /**
   * Returns the settings of keys. Options take precedence over the configuration.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @param warnings accepts warnings about keys that an option overrides
   * @throws SettingException if a value is invalid, or two options exclude each other
   */
  public Settings settings(
      @Nullable Configuration conf,
      Collection<? extends SettingKey<?>> keys,
      Consumer<String> warnings) {
    Settings settings = ConfSettings.read(conf, keys);
    Settings typed = Settings.NONE;
    for (Map.Entry<String, Set<SettingKey<?>>> option : byOption.entrySet()) {
      for (SettingKey<?> key : option.getValue()) {
        if (isTyped(option.getKey()) && keys.contains(key)) {
          typed = with(option.getKey(), key, typed);
        }
      }
    }
    for (SettingKey<?> key : typed.keys()) {
      if (settings.isSet(key) && !settings.get(key).equals(typed.get(key))) {
        warnings.accept(typed.nameOf(key) + " overrules " + key.name());
      }
    }
    return settings.and(typed);
  }

  /**
   * Returns the source of settings in which options take precedence over the configuration.
   *
   * @param warnings accepts warnings about keys that an option overrides
   */
  public SettingSource settings(Consumer<String> warnings) {
    return new Source(this, warnings);
  }

  /** This is not a lambda, because a lambda would load the classes of its parameters. */
  private record Source(KeyOptions options, Consumer<String> warnings) implements SettingSource {
    @Override
    public Settings settings(
        @Nullable Configuration conf, Collection<? extends SettingKey<?>> keys) {
      return options.settings(conf, keys, warnings);
    }
  }

  private <T> Settings with(String name, SettingKey<T> key, Settings typed) {
    T value = key.parse(typed(name, key), name);
    if (typed.isSet(key) && !typed.get(key).equals(value)) {
      throw new SettingException(
          typed.nameOf(key) + " and " + name + " exclude each other (expected one of them)");
    }
    return typed.with(key, value, name);
  }

  /** Returns the given options that set none of the keys, in the order of the help. */
  public List<String> withoutEffect(Collection<? extends SettingKey<?>> keys) {
    return byOption.entrySet().stream()
        .filter(option -> isTyped(option.getKey()) && !own.contains(option.getKey()))
        .filter(option -> option.getValue().stream().noneMatch(keys::contains))
        .map(Map.Entry::getKey)
        .toList();
  }
}
