package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --help} fits on a screen, {@code --help-all} omits nothing. */
class CommandHelpTest {
  private static final int MAX_LINES = 60;
  private static final int WIDTH = 80;

  static Stream<CommandLine> commands() {
    return CommandLines.commands();
  }

  static Stream<CommandLine> commandsAndRoot() {
    return Stream.concat(Stream.of(CommandLines.root()), commands());
  }

  private static String help(CommandLine command, String option) {
    boolean root = command.getParent() == null;
    Cli help = root ? Cli.run(option) : Cli.run(command.getCommandName(), option);
    assertThat(help.succeeds().stderr()).isEmpty();
    return help.text();
  }

  private static List<String> examples(CommandLine command) {
    return help(command, "--help")
        .lines()
        .dropWhile(line -> !line.equals("Examples:"))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .map(String::strip)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commandsAndRoot")
  void theShortHelpFitsOnAScreen(CommandLine command) {
    assertThat(help(command, "--help").lines().toList())
        .hasSizeLessThanOrEqualTo(MAX_LINES)
        .allMatch(line -> line.length() <= WIDTH && !line.endsWith(" "));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theShortHelpHasHeadingsAndNamesWhatItOmits(CommandLine command) {
    String text = help(command, "--help");
    assertThat(text).contains("\n\nArguments:\n").contains("\n\nOptions:\n");
    Matcher hint =
        Pattern.compile("\n\n--help-all shows (\\d+) more options, .*\n\\z").matcher(text);
    assertThat(hint.find()).as(text).isTrue();
    assertThat(CommandLines.sections(command))
        .flatExtracting(OptionSection::lines)
        .filteredOn(line -> !line.everyday())
        .hasSize(Integer.parseInt(hint.group(1)));
  }

  @ParameterizedTest
  @MethodSource("commandsAndRoot")
  void theExamplesOfAHelpAreUnderstood(CommandLine command) {
    assertThat(examples(command)).hasSize(3).allMatch(line -> line.startsWith("saev-hadoop "));
    for (String example : examples(command)) {
      String[] words = example.split(" ");
      assertThatCode(
              () -> CommandLines.root().parseArgs(Arrays.copyOfRange(words, 1, words.length)))
          .as(example)
          .doesNotThrowAnyException();
    }
  }

  /** Keys check the values of their options when a command runs, before it opens a dataset. */
  @ParameterizedTest
  @MethodSource("commandsAndRoot")
  void theExamplesFailOnlyBecauseTheirDatasetIsMissing(CommandLine command) {
    for (String example : examples(command)) {
      String[] words = example.split(" ");
      if (!example.contains("hdfs://")) {
        Cli run = Cli.run((Object) Arrays.copyOfRange(words, 1, words.length));
        assertThat(run.exitCode()).as(example + ": " + run.stderr()).isIn(1, 3);
        assertThat(run.stderr().lines().filter(line -> line.startsWith("warning")))
            .allMatch(line -> line.contains("no such file")); // another one of several sources
      }
    }
  }

  /** The model of a command exists before it is known that the help of the program is asked for. */
  @Test
  void theHelpOfTheProgramMayNameACommandAmongItsWords() {
    assertThat(Cli.run("-h", "x", "convert").succeeds().text())
        .isEqualTo(Cli.run("--help").succeeds().text());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theLongHelpHasEveryOptionUnderItsHeading(CommandLine command) {
    String text = help(command, "--help-all");
    for (OptionSpec option : command.getCommandSpec().options()) {
      assertThat(option.hidden() || text.contains(option.longestName())).as(option + "").isTrue();
    }
    for (OptionSection section : CommandLines.sections(command)) {
      assertThat(text).contains("\n\n" + section.heading() + ":\n");
    }
    assertThat(text).doesNotContain("more options");
  }

  @Test
  void headingsAreThoseOfTheKeys() {
    assertThat(CommandLines.sections(CommandLines.command("convert")))
        .extracting(OptionSection::heading)
        .startsWith("Arguments", "Options", "Part of the dataset", "Values", "Writing", "Safety")
        .contains(
            "Reading safetensors, samediff, npy, torch, parquet, arrow",
            "Reading pickle",
            "Writing saev",
            "Writing safetensors")
        .endsWith("Options of all commands");
  }

  @Test
  void theHelpOfTheProgramHasALineForEachCommand() {
    String text = help(CommandLines.root(), "--help");
    commands()
        .forEach(
            command ->
                assertThat(text)
                    .containsPattern(
                        "\n  %s +[A-Z][^\n]+\\.\n".formatted(command.getCommandName())));
    assertThat(text)
        .contains("\nExit codes:\n", "\nEnvironment:\n", "SAEV_HADOOP_OPTS", "HADOOP_CONF_DIR");
  }
}
