package org.saevhadoop.converters.arrays;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.testing.Programs;

/**
 * A command that {@code inspect} proposes.
 *
 * @param line the line
 * @param words its words as a shell separates them
 */
record ProposedCommand(String line, List<String> words) {
  private static final String PREFIX = "  saev-hadoop convert ";

  /** Returns the commands for a source. */
  static List<ProposedCommand> of(Path source) throws IOException, InterruptedException {
    List<ProposedCommand> commands = new ArrayList<>();
    for (String line : Cli.run("inspect", source).succeeds().text().lines().toList()) {
      if (line.startsWith(PREFIX)) {
        byte[] split = Programs.output("sh", "-c", "printf '%s\\n' " + line.strip());
        commands.add(
            new ProposedCommand(
                line, new String(split, StandardCharsets.UTF_8).lines().skip(1).toList()));
      }
    }
    return commands;
  }

  /** Returns the options behind {@code --to saev}, as they are printed. */
  String options() {
    String to = " --to saev";
    return line.substring(line.indexOf(to) + to.length()).strip();
  }

  /** Returns the same command with other words. */
  ProposedCommand with(List<String> others) {
    return new ProposedCommand(line, others);
  }

  /** Returns the path that the command prints. */
  Path run(Path out, String to) {
    List<String> own = new ArrayList<>(words);
    own.set(2, out.toString());
    own.set(own.indexOf("--to") + 1, to);
    return Cli.run(own).succeeds().lastLinePath();
  }
}
