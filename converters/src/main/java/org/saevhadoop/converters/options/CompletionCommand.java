package org.saevhadoop.converters.options;

import java.util.List;
import org.saevhadoop.converters.console.Console;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints a completion script for bash or fish, generated from the commands and options themselves.
 * The distribution build runs this command.
 */
@Command(
    name = "generate-completion",
    hidden = true,
    description =
        "Prints a script that completes commands, options and their values in bash and zsh, or in"
            + " fish.",
    footerHeading = "%nExample:%n",
    footer = "  saev-hadoop generate-completion > saev-hadoop.bash")
public final class CompletionCommand implements Runnable {
  /**
   * A line of the generated script that disables the completion of paths, because their parameters
   * are text.
   */
  private static final String WITHOUT_PATHS = "  type compopt &>/dev/null && compopt +o default\n";

  /** The shells for which a script is made. */
  enum Shell {
    bash,
    fish
  }

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      arity = "0..1",
      description = "bash (the default), which zsh reads too, or fish.")
  Shell shell = Shell.bash;

  private final Console console;

  public CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    CommandSpec root = spec.root();
    root.subcommands().values().forEach(command -> markFlags(command.getCommandSpec()));
    console
        .out()
        .print(
            switch (shell) {
              case bash ->
                  AutoComplete.bash(root.name(), root.commandLine()).replace(WITHOUT_PATHS, "");
              case fish -> FishCompletion.of(root.commandLine());
            });
    console.out().flush();
  }

  /** Picocli's generator recognizes options without a value only by their type. */
  private static void markFlags(CommandSpec command) {
    for (OptionSpec option : List.copyOf(command.options())) {
      if (option.arity().max() == 0 && option.type() != boolean.class) {
        command.remove(option);
        command.addOption(
            OptionSpec.builder(option.longestName())
                .type(boolean.class)
                .description(option.description())
                .build());
      }
    }
  }
}
