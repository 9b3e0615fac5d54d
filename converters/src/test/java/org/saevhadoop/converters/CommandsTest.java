package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.format.DatasetFormats;
import picocli.CommandLine;

class CommandsTest {
  private static Commands commands() {
    DatasetFormats formats = DatasetFormats.registry();
    return new Commands(
        Main.COMMANDS,
        new RootCommand(),
        FormatName.factory(formats),
        new Console(new Configuration(), formats, System.out, System.err),
        line -> {});
  }

  @Test
  void theCommandsThatHaveAnOptionAreThoseWhoseModelsHaveIt() {
    List<CommandLine> models = commands().all();
    SortedSet<String> options = new TreeSet<>();
    models.forEach(model -> options.addAll(model.getCommandSpec().optionsMap().keySet()));
    Commands commands = commands();
    for (String option : options) {
      for (String word : List.of(option, option + "=1")) {
        assertThat(commands.having(word))
            .as(word)
            .containsExactlyElementsOf(
                models.stream()
                    .filter(model -> WordCheck.option(model.getCommandSpec(), word) != null)
                    .map(CommandLine::getCommandName)
                    .toList());
      }
    }
    assertThat(commands.having("--tp")).isEmpty();
    assertThat(commands.root().getSubcommands()).isEmpty();
  }
}
