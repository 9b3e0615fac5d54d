package org.saevhadoop.converters.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.ShellWord;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.source.NestedDatasetsException;

/** The commands to type instead of a command whose source contains several datasets. */
public final class NestedCommands {
  private static final int MAX_COMMANDS = 1000;

  private NestedCommands() {}

  /**
   * Returns a line for each dataset, and one with the number of datasets that are not listed. If
   * there is only one dataset, its command has the prefix {@link Console#NEXT}.
   *
   * @param program the words before the command, as a shell reads them
   * @param words the command line
   * @param destination the output of the command: a folder that will contain the folder of each
   *     dataset; null if the command writes no dataset
   */
  public static List<String> of(
      NestedDatasetsException error,
      String program,
      List<String> words,
      @Nullable String destination) {
    List<String> paths = error.paths();
    String start = paths.size() == 1 ? Console.NEXT : "    ";
    List<String> lines = new ArrayList<>();
    for (String path : paths.subList(0, Math.min(paths.size(), MAX_COMMANDS))) {
      List<String> command = new ArrayList<>(words);
      Collections.replaceAll(command, error.typed(), path);
      if (destination != null && paths.size() > 1) {
        String name = path.substring(Math.min(path.length(), error.path().length()));
        Collections.replaceAll(command, destination, destination + name);
      }
      lines.add(start + Quote.show(program + " " + ShellWord.quoted(command)));
    }
    if (paths.size() > MAX_COMMANDS) {
      lines.add("    ... and %d more".formatted(paths.size() - MAX_COMMANDS));
    }
    return lines;
  }
}
