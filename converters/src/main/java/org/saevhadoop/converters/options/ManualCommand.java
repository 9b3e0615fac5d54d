package org.saevhadoop.converters.options;

import org.saevhadoop.converters.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Prints the manual page, which is generated from the commands and options themselves. The
 * distribution build runs this command.
 */
@Command(
    name = "generate-manual",
    hidden = true,
    description = "Prints the manual page in the format of man and groff.",
    footerHeading = "%nExample:%n",
    footer = "  saev-hadoop generate-manual > saev-hadoop.1")
public final class ManualCommand implements Runnable {
  @Spec CommandSpec spec;

  private final Console console;

  public ManualCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    console.out().print(ManualPage.of(spec.root().commandLine()));
    console.out().flush();
  }
}
