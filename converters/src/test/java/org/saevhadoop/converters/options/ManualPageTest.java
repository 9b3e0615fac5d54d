package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page has what the help of all commands has. */
class ManualPageTest {
  private static final CommandLine ROOT = CommandLines.root();
  private static final List<String> PAGE = ManualPage.of(ROOT).lines().toList();

  /** Returns the line of the page for a text of the help. */
  private static String line(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }

  @Test
  void everyCommandHasASectionAndEveryOptionItsHelp() {
    for (CommandLine command : CommandHelp.commands(ROOT)) {
      assertThat(PAGE).contains(".SH \"" + line(command.getCommandSpec().qualifiedName()) + '"');
      for (OptionSection section : CommandHelp.sections(command)) {
        for (OptionLine option : section.lines()) {
          int at = PAGE.indexOf("\\fB" + line(option.usage()) + "\\fR");
          assertThat(at).as(option.usage()).isPositive();
          assertThat(PAGE.get(at - 1)).isEqualTo(".TP");
          assertThat(PAGE).as(option.usage()).contains("\\&" + line(option.help()));
        }
      }
    }
  }

  @Test
  void aSectionOfSeveralCommandsIsPrintedOnce() {
    Set<OptionSection> shared = new HashSet<>();
    Set<OptionSection> seen = new HashSet<>();
    for (CommandLine command : CommandHelp.commands(ROOT)) {
      CommandHelp.sections(command).stream()
          .filter(section -> !section.heading().equals(OptionSection.OF_ALL_COMMANDS))
          .filter(section -> !seen.add(section))
          .forEach(shared::add);
    }
    shared.removeIf(section -> section.heading().equals(OptionSection.ARGUMENTS));
    assertThat(shared).isNotEmpty();
    assertThat(PAGE.stream().filter(line -> line.startsWith("\\&Of the commands ")))
        .hasSameSizeAs(shared);
  }

  @Test
  void theEndOfTheHelpIsSectionsOfTheirOwn() {
    assertThat(PAGE)
        .contains(".SH \"EXIT CODES\"", ".SH \"ENVIRONMENT\"", ".SH \"EXAMPLES\"")
        .contains("\\&  0  done");
  }

  @Test
  void onlyMacrosBeginWithADot() {
    assertThat(PAGE).allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|nf|fi)( .*)?|\\\\[&f].*"));
  }
}
