package org.saevhadoop.converters.options;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.DatasetFormats;
import picocli.CommandLine;

/** The commands with their options. */
final class CommandLines {
  private CommandLines() {}

  static CommandLine root() {
    return new Main(System.out, System.err)
        .commandLine(
            new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err));
  }

  /** Returns the commands that the help lists. */
  static Stream<CommandLine> commands() {
    return root().getSubcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden());
  }

  static CommandLine command(String name) {
    return root().getSubcommands().get(name);
  }

  static List<OptionSection> sections(CommandLine command) {
    return OptionSection.of(
        command.getCommandSpec(), command.<SourceCommand>getCommand().keyGroups());
  }
}
