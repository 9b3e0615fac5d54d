package org.saevhadoop.converters.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.source.NestedDatasetsException;

/** The commands to type instead of one whose source contains several datasets. */
public final class NestedCommands {
  private static final int MAX_COMMANDS = 1000;

  /** Words that a shell takes as they are. */
  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./:=@%+,-]+");

  private NestedCommands() {}

  /**
   * Returns a line for each dataset, and one with the number of those that are not listed. There is
   * none if the message of the error itself names the path.
   *
   * @param words the command line
   */
  public static List<String> of(NestedDatasetsException error, List<String> words) {
    List<String> paths = error.paths();
    List<String> lines = new ArrayList<>();
    for (String path : paths.subList(0, Math.min(paths.size(), MAX_COMMANDS))) {
      String command =
          words.stream()
              .map(word -> quote(word.equals(error.typed()) ? path : word))
              .collect(Collectors.joining(" "));
      lines.add("    saev-hadoop " + Quote.show(command));
    }
    if (paths.size() > MAX_COMMANDS) {
      lines.add("    ... and %d more".formatted(paths.size() - MAX_COMMANDS));
    }
    return paths.size() == 1 ? List.of() : lines;
  }

  static String quote(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
