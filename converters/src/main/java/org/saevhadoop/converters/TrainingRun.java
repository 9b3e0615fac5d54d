package org.saevhadoop.converters;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.spi.DatasetFormat;

/**
 * Loads the classes of the common commands by running each command on a small dataset in this JVM.
 * The launcher lets the JVM archive these classes (class-data sharing).
 */
public final class TrainingRun {
  /** Commands that end before the optimizing compiler would pay off. */
  private static final Set<String> SHORT =
      Set.of("inspect", "generate-completion", "generate-manual");

  /** Options of short commands that read whole datasets. */
  private static final Set<String> READING = Set.of("--digests");

  private TrainingRun() {}

  /**
   * Runs the commands; failures are ignored, because failing commands load classes, too.
   *
   * @param args a dataset, a folder that is created for the results, and a file to which the {@link
   *     #longWords} are written
   */
  public static void main(String[] args) throws IOException {
    Path work = Files.createDirectories(Path.of(args[1]));
    PrintStream none =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (List<String> command : commands(args[0], work)) {
      new Main(none, none).run(command.toArray(String[]::new));
    }
    Files.writeString(Path.of(args[2]), String.join(" ", longWords()));
    System.exit(0); // threads of Hadoop may still be running
  }

  /** Returns the commands; some are repeated for each format that can be written. */
  private static List<List<String>> commands(String dataset, Path work) {
    List<List<String>> commands = new ArrayList<>();
    commands.add(List.of("--version"));
    commands.add(List.of("--help"));
    commands.add(List.of("convert", "--help"));
    commands.add(List.of("no-such-command"));
    commands.add(List.of("convert", dataset, "--no-such-option"));
    commands.add(List.of("inspect", work.resolve("missing").toString()));
    for (DatasetFormat format : DatasetFormats.registry().writable()) {
      String written = work.resolve(format.name()).toString();
      commands.add(List.of("convert", dataset, written, "--to", format.name(), "--verify"));
      for (String command : List.of("inspect", "cat", "list", "digest")) {
        commands.add(List.of(command, written));
      }
    }
    commands.add(List.of("verify", dataset, "--structure", "--json"));
    return commands;
  }

  /**
   * Returns the words that identify a long-running command line. The launcher restricts the JVM to
   * its faster compiler if the command only reads headers or prints text.
   */
  static Set<String> longWords() throws IOException {
    Main main = new Main(System.out, System.err).with(Map.of());
    DatasetFormats formats = DatasetFormats.registry();
    Set<String> words = new TreeSet<>(READING);
    try (Console console = new Console(new Configuration(), formats, System.out, System.err)) {
      words.addAll(main.commandLine(console).getSubcommands().keySet());
    }
    words.removeAll(SHORT);
    return words;
  }
}
