package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Programs;
import picocli.CommandLine;

/** Runs commands, then those that they print, and so on; each printed one must succeed. */
final class PastedCommands {
  private static final int MAX_DEPTH = TestExtent.of(2, 4);

  /** A line with a command: a note or an error ends in one, or it is one of a list. */
  private static final Pattern COMMAND = Pattern.compile("(?:next: | {2}| {4})(saev-hadoop .*)");

  /** A destination, which is in the working folder or above. */
  private static final Pattern DESTINATION = Pattern.compile("(?:\\.\\./)*OUT\\d*");

  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  private record Printed(String line, List<String> words, String by, int depth) {}

  private final Path folder;
  private final Map<String, CommandLine> commands;
  private final Set<String> known = new HashSet<>();
  private final Deque<Printed> printed = new ArrayDeque<>();
  private final List<String> failures = new ArrayList<>();
  private int outputs;
  private int pasted;

  PastedCommands(Path folder) {
    this.folder = folder;
    PrintStream nothing = new PrintStream(OutputStream.nullOutputStream());
    Console console =
        new Console(new Configuration(false), DatasetFormats.registry(), nothing, nothing);
    commands = new TreeMap<>(new Main(nothing, nothing).commandLine(console).getSubcommands());
  }

  /** Returns a path where there is nothing yet. */
  Path newPath() {
    return folder.resolve("out" + outputs++);
  }

  /** Runs a command, which may fail, and all that follow from it. */
  void type(Object... words) throws Exception {
    List<String> typed = Cli.words(words).toList();
    run(typed, String.join(" ", typed), 0);
    while (!printed.isEmpty()) {
      paste(printed.removeFirst());
    }
  }

  private void paste(Printed command) {
    pasted++;
    Cli cli = run(command.words, command.line, command.depth);
    boolean isFinding =
        cli.exitCode() == 1
            && cli.failure() == null
            && List.of("diff", "verify").contains(command.words.get(0));
    if (cli.exitCode() != 0 && !isFinding) {
      failures.add(
          "%s%n  of: %s%n  ends with %d: %s"
              .formatted(command.line, command.by, cli.exitCode(), cli.stderr().strip()));
    }
  }

  private Cli run(List<String> words, String line, int depth) {
    Cli cli = Cli.run(words);
    checkOptions(words.get(0), line, cli);
    for (String text : List.of(cli.text(), cli.stderr())) {
      for (String one : text.lines().toList()) {
        Matcher command = COMMAND.matcher(one);
        if (command.matches() && depth < MAX_DEPTH && known.add(command.group(1))) {
          printed.add(new Printed(command.group(1), split(command.group(1)), line, depth + 1));
        }
      }
    }
    return cli;
  }

  /** Checks that a sentence recommends options that its command, or one that it names, has. */
  private void checkOptions(String name, String line, Cli cli) {
    for (String sentence : cli.stderr().lines().filter(l -> !l.startsWith("next: ")).toList()) {
      OPTION
          .matcher(sentence)
          .results()
          .map(option -> option.group())
          .filter(option -> !line.contains(option))
          .filter(
              option ->
                  Stream.concat(
                          Stream.of(name),
                          commands.keySet().stream().filter(other -> names(sentence, other)))
                      .noneMatch(
                          command ->
                              commands.get(command).getCommandSpec().findOption(option) != null))
          .forEach(option -> failures.add("%s%n  has no %s: %s".formatted(line, option, sentence)));
    }
  }

  private static boolean names(String sentence, String command) {
    return Pattern.compile("(?<![\\w-])" + command + "(?![\\w-])").matcher(sentence).find();
  }

  /** Returns the words of a line, as a shell separates them, without the name of the program. */
  private List<String> split(String line) {
    try {
      byte[] split = Programs.output("sh", "-c", "printf '%s\\n' " + line);
      return new String(split, StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(word -> DESTINATION.matcher(word).matches() ? newPath().toString() : word)
          .toList();
    } catch (Exception e) {
      throw new AssertionError(line, e);
    }
  }

  /** Asserts that all that was printed, a number of commands at least, could be pasted. */
  void allSucceed(int atLeast) {
    assertThat(failures).isEmpty();
    assertThat(pasted).isGreaterThanOrEqualTo(atLeast);
  }
}
