package org.saevhadoop.converters;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.CommandHelp;
import org.saevhadoop.converters.options.KeyOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * The commands of a command line, by name. A command is added to picocli's model on first use,
 * because building the model of all commands takes longer than running most of them.
 */
final class Commands {
  /**
   * A command.
   *
   * @param name the name, as given in its annotation
   * @param hidden whether the command is about the command line itself; such a command is not
   *     offered, and its model includes all other commands
   * @param create creates the command for a console
   */
  record Entry(String name, boolean hidden, Function<Console, Object> create) {
    Entry(String name, Function<Console, Object> create) {
      this(name, false, create);
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final CommandLine root;
  private final IFactory factory;
  private final Console console;
  private final Consumer<CommandLine> settings;

  /**
   * Creates a list of commands.
   *
   * @param program the program to which the commands belong
   * @param factory creates objects of the classes that annotations name
   * @param settings sets the handlers and streams of a command line
   */
  Commands(
      List<Entry> all,
      Object program,
      IFactory factory,
      Console console,
      Consumer<CommandLine> settings) {
    all.forEach(entry -> entries.put(entry.name(), entry));
    this.root = new CommandLine(program, factory);
    this.factory = factory;
    this.console = console;
    this.settings = settings;
    CommandHelp.set(root, List.of());
    settings.accept(root);
  }

  CommandLine root() {
    return root;
  }

  /** Returns the names of the commands that are offered. */
  List<String> names() {
    return entries.values().stream().filter(entry -> !entry.hidden()).map(Entry::name).toList();
  }

  boolean has(String name) {
    return entries.containsKey(name);
  }

  /** Returns the command with the given name; null if there is none. */
  @Nullable CommandLine get(String name) {
    Entry entry = entries.get(name);
    if (entry != null && entry.hidden()) {
      all();
    }
    return entry == null ? null : added(entry);
  }

  /** Returns all commands, in the order of the list. */
  List<CommandLine> all() {
    return entries.values().stream().map(this::added).toList();
  }

  /**
   * Returns the names of the commands that have the given option, without building their models,
   * because picocli takes longer to build options from keys than to list names.
   *
   * @param word the option, alone or with a value after {@code =}
   */
  List<String> having(String word) {
    return entries.values().stream()
        .filter(entry -> WordCheck.isOneOf(options(entry), word))
        .map(Entry::name)
        .toList();
  }

  private Set<String> options(Entry entry) {
    CommandLine known = root.getSubcommands().get(entry.name());
    if (known != null) {
      return known.getCommandSpec().optionsMap().keySet();
    }
    Object command = entry.create().apply(console);
    CommandSpec annotated = CommandSpec.forAnnotatedObject(command, factory);
    Set<String> names = new HashSet<>(annotated.optionsMap().keySet());
    for (OptionSpec inherited : root.getCommandSpec().options()) {
      if (inherited.scopeType() == ScopeType.INHERIT) {
        names.addAll(List.of(inherited.names()));
      }
    }
    if (command instanceof SourceCommand source) {
      for (KeyOptions.Group group : source.keyGroups()) {
        group.keys().forEach(key -> key.options().forEach(option -> names.add(option.name())));
      }
    }
    return names;
  }

  /** Adds the list of commands to the help of the program if an option requests it. */
  void describe(String option) {
    OptionSpec asked = root.getCommandSpec().findOption(option);
    if (asked != null && asked.usageHelp()) {
      entries.values().forEach(this::addSummary);
    }
  }

  /** Adds a command without its options. */
  private void addSummary(Entry entry) {
    root.getCommandSpec().removeSubcommand(entry.name());
    CommandSpec summary = CommandSpec.create();
    Command annotation = entry.create().apply(console).getClass().getAnnotation(Command.class);
    summary.updateCommandAttributes(annotation, factory);
    root.addSubcommand(entry.name(), new CommandLine(summary, factory));
  }

  private CommandLine added(Entry entry) {
    CommandLine known = root.getSubcommands().get(entry.name());
    if (known != null) {
      return known;
    }
    CommandLine added = new CommandLine(entry.create().apply(console), factory);
    root.addSubcommand(entry.name(), added);
    addKeys(added);
    settings.accept(added);
    return added;
  }

  private static void addKeys(CommandLine command) {
    List<KeyOptions.Group> groups = List.of();
    if (command.getCommand() instanceof SourceCommand keys) {
      groups = keys.keyGroups();
      KeyOptions options = new KeyOptions(command.getCommandSpec(), groups);
      options.add();
      keys.use(options);
    }
    CommandHelp.set(command, groups);
  }
}
