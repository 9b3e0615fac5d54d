package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The script lists the commands and options that the command line has. */
class FishCompletionTest {
  private static final String SCRIPT = FishCompletion.of(CommandLines.root());

  private static List<String> linesOf(String command) {
    return SCRIPT.lines().filter(line -> line.contains("_from " + command + "' ")).toList();
  }

  @Test
  void everyCommandOfTheHelpIsOffered() {
    for (CommandLine command : CommandHelp.commands(CommandLines.root())) {
      assertThat(SCRIPT).contains(" -f -a %s -d '".formatted(command.getCommandName()));
    }
    assertThat(SCRIPT).contains(" -a convert ").doesNotContain("generate-");
  }

  @Test
  void everyOptionOfACommandHasOneLine() {
    for (CommandLine command : CommandHelp.commands(CommandLines.root())) {
      String name = command.getCommandName();
      List<OptionSpec> options =
          command.getCommandSpec().options().stream()
              .filter(option -> !option.inherited() && !option.hidden())
              .toList();
      assertThat(linesOf(name)).as(name).hasSameSizeAs(options);
      for (OptionSpec option : options) {
        String word = " -l %s ".formatted(option.longestName().substring(2));
        assertThat(linesOf(name))
            .as(name)
            .filteredOn(line -> line.contains(word) && !line.endsWith(" ''"))
            .hasSize(1);
      }
    }
  }

  @Test
  void valuesOfAFixedListArePrintedAndOthersAreFiles() {
    assertThat(linesOf("convert"))
        .anyMatch(line -> line.contains(" -l rounding -x -a 'nearest-even truncate' -d "))
        .anyMatch(line -> line.contains(" -l normalize -r -d "))
        .anyMatch(line -> line.contains(" -l overwrite -d "));
  }

  @Test
  void optionsOfAllCommandsHaveNoCondition() {
    assertThat(SCRIPT.lines())
        .anyMatch(line -> line.startsWith("complete -c saev-hadoop -s h -l help -l help-all -d '"))
        .anyMatch(line -> line.startsWith("complete -c saev-hadoop -l quiet -d '"));
  }
}
