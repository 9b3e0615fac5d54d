package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.DatasetFormats;
import picocli.CommandLine;

class TrainingRunTest {
  @Test
  void aCommandIsLongUnlessItIsKnownToReadHeadersOnly() throws Exception {
    Set<String> longWords = TrainingRun.longWords();
    assertThat(longWords).contains("convert", "digest", "cat", "list");
    assertThat(commands().keySet())
        .filteredOn(command -> !longWords.contains(command))
        .containsExactlyInAnyOrder("inspect", "generate-completion", "generate-manual");
  }

  @Test
  void optionsThatReadDatasetsExist() throws Exception {
    Collection<String> options = commands().get("inspect").getCommandSpec().optionsMap().keySet();
    assertThat(TrainingRun.longWords())
        .filteredOn(word -> word.startsWith("-"))
        .isNotEmpty()
        .isSubsetOf(options);
  }

  private static Map<String, CommandLine> commands() throws Exception {
    try (Console console =
        new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err)) {
      return new Main(System.out, System.err).commandLine(console).getSubcommands();
    }
  }
}
