package org.saevhadoop.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.testing.Documentation;

/**
 * A block of the documentation with commands, each after a dollar sign, and what they print. A line
 * of three dots stands for any number of lines, and dots at the end of a line for its rest. What
 * follows a command that fails is its error.
 */
record ConsoleBlock(Documentation.Block block) {
  private static final String PROMPT = "$ ";
  private static final String ANY = "...";

  /** A command, and the lines that follow it. */
  record Command(String text, List<String> shown) {}

  List<Command> commands() {
    List<Command> commands = new ArrayList<>();
    List<String> lines = block.lines();
    for (int i = 0; i < lines.size(); ) {
      StringBuilder text = new StringBuilder(lines.get(i++).substring(PROMPT.length()));
      while (text.toString().endsWith("\\")) {
        text.append('\n').append(lines.get(i++));
      }
      List<String> shown = new ArrayList<>();
      while (i < lines.size() && !lines.get(i).startsWith(PROMPT)) {
        shown.add(lines.get(i++));
      }
      commands.add(new Command(text.toString(), shown));
    }
    return commands;
  }

  /** Runs the commands in a folder, and returns the lines of the block as they must be. */
  List<String> run(Path folder, Map<String, String> environment) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Command command : commands()) {
      Launch launch = Launch.of(folder, environment, "bash", "-c", command.text());
      boolean failed = launch.exitCode() != 0;
      List<String> printed = (failed ? launch.stderr() : launch.stdout()).lines().toList();
      boolean asShown = matches(command.shown(), printed) && !(failed && isOpen(command.shown()));
      (PROMPT + command.text()).lines().forEach(lines::add);
      lines.addAll(asShown ? command.shown() : printed);
    }
    return lines;
  }

  /** Returns whether anything matches, so that an error would not be noticed. */
  private static boolean isOpen(List<String> shown) {
    return shown.stream().allMatch(ANY::equals);
  }

  static boolean matches(List<String> shown, List<String> printed) {
    if (shown.isEmpty()) {
      return printed.isEmpty();
    }
    List<String> rest = shown.subList(1, shown.size());
    if (shown.get(0).equals(ANY)) {
      return matches(rest, printed)
          || !printed.isEmpty() && matches(shown, printed.subList(1, printed.size()));
    }
    return !printed.isEmpty()
        && isLine(shown.get(0), printed.get(0))
        && matches(rest, printed.subList(1, printed.size()));
  }

  private static boolean isLine(String shown, String printed) {
    return shown.equals(printed)
        || shown.endsWith(ANY)
            && printed.startsWith(shown.substring(0, shown.length() - ANY.length()));
  }
}
