package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion of the command line for fish, which picocli does not generate: one {@code
 * complete} line for each command and each option.
 */
final class FishCompletion {
  private static final String BEFORE_COMMAND = "__fish_use_subcommand";

  private final String program;
  private final StringBuilder script = new StringBuilder();

  private FishCompletion(String program) {
    this.program = program;
  }

  /** Returns the script for a program with all of its commands. */
  static String of(CommandLine root) {
    CommandSpec spec = root.getCommandSpec();
    FishCompletion completion = new FishCompletion(spec.name());
    completion.line(List.of("-n", BEFORE_COMMAND, "-f"));
    spec.options().forEach(option -> completion.option(List.of(), option, summaries(root)));
    for (CommandLine command : CommandHelp.commands(root)) {
      completion.command(command.getCommandSpec(), summaries(command));
    }
    return completion.script.toString();
  }

  /** Returns the first sentence of the help of each option, by option name. */
  private static Map<String, String> summaries(CommandLine command) {
    Map<String, String> summaries = new HashMap<>();
    CommandHelp.sections(command).stream()
        .flatMap(section -> section.lines().stream())
        .forEach(line -> line.names().forEach(name -> summaries.put(name, line.summary())));
    return summaries;
  }

  private void command(CommandSpec command, Map<String, String> summaries) {
    String about = command.usageMessage().description()[0];
    line(List.of("-n", BEFORE_COMMAND, "-f", "-a", command.name(), "-d", quoted(about)));
    List<String> after = List.of("-n", quoted("__fish_seen_subcommand_from " + command.name()));
    command.options().stream()
        .filter(option -> !option.inherited() && !option.hidden())
        .forEach(option -> option(after, option, summaries));
  }

  private void option(List<String> condition, OptionSpec option, Map<String, String> summaries) {
    List<String> words = new ArrayList<>(condition);
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      words.add(isLong ? "-l" : "-s");
      words.add(name.substring(isLong ? 2 : 1));
    }
    String values =
        option.completionCandidates() == null
            ? ""
            : String.join(" ", option.completionCandidates());
    if (!values.isEmpty()) {
      words.addAll(List.of("-x", "-a", quoted(values)));
    } else if (option.arity().min() > 0) {
      words.add("-r");
    }
    words.add("-d");
    words.add(quoted(summaries.getOrDefault(option.longestName(), "")));
    line(words);
  }

  private void line(List<String> words) {
    script.append("complete -c ").append(program).append(' ');
    script.append(String.join(" ", words)).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
