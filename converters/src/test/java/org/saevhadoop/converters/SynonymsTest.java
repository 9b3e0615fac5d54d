package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.DatasetFormats;

class SynonymsTest {
  private static final Pattern OPTION = Pattern.compile("--[a-z]+(-[a-z]+)*");

  private static Set<String> known() {
    Set<String> known = new HashSet<>();
    new Main(System.out, System.err)
        .commandLine(
            new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err))
        .getSubcommands()
        .forEach(
            (name, command) -> {
              known.add(name);
              known.addAll(command.getCommandSpec().optionsMap().keySet());
            });
    return known;
  }

  @Test
  void theTableNamesCommandsAndOptionsThatExist() {
    assertThat(Synonyms.requirements()).isNotEmpty().isSubsetOf(known());
    assertThat(
            Synonyms.answers()
                .flatMap(text -> OPTION.matcher(text).results().map(MatchResult::group)))
        .isNotEmpty()
        .isSubsetOf(known());
  }
}
