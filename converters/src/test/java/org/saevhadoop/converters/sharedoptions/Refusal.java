package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.saevhadoop.converters.Cli;

/** A command that says in one line why it does not do what was asked for. */
final class Refusal {
  private Refusal() {}

  static void assertRefused(Cli cli, String what) {
    assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isBetween(1, 3);
    List<String> lines =
        cli.stderr()
            .lines()
            .filter(line -> !line.matches("(convert|unpack|shuffle|verify|bench|warning): .*"))
            .toList();
    assertThat(lines).as(what).hasSize(1);
    assertThat(lines.get(0)).as(what).doesNotContain("Exception", "\tat ");
  }
}
