package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunningJob;

/** What is shown beside results and errors. */
@Isolated("sets properties of the JVM")
class ConsoleTest {
  private static final RunningJob JOB = new RunningJob("convert", "name", null, null);
  private static final String ESCAPE = "\u001b";

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Returns what a command prints to standard error that listens to a job on a terminal. */
  private String stderr(Display display) throws IOException {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    System.setProperty("saev.terminal", "true");
    try (Console console =
        new Console(new Configuration(), DatasetFormats.registry(), stream, stream)) {
      console.use(display);
      console.message("a message");
      console.warning("a warning");
      console.detail("a detail");
      console.progress(JOB, 1 << 20, 8 << 20);
      console.result(new FinishedJob(JOB, true, 0, 1, Map.of()));
    } finally {
      System.clearProperty("saev.terminal");
    }
    return err.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "true,  true,  true,  true",
    "true,  false, true,  false",
    "true,  false, false, true",
    "false, false, false, true"
  })
  void showsWhatIsAsked(boolean notes, boolean details, boolean progress, boolean color)
      throws IOException {
    String shown = stderr(new Display(notes, details, progress, color));
    assertThat(shown.contains("a message\nwarning: a warning\n")).isEqualTo(notes);
    assertThat(shown.contains("a detail\n")).isEqualTo(details);
    assertThat(shown.contains("8 MiB")).isEqualTo(progress);
    assertThat(shown.contains(ESCAPE)).isEqualTo(progress && color);
    assertThat(shown.isEmpty()).isEqualTo(!notes && !progress);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80, 120})
  void theBarFitsTheTerminal(int columns) throws IOException {
    System.setProperty("saev.columns", String.valueOf(columns));
    try {
      String shown = stderr(new Display(false, false, true, false));
      assertThat(shown).contains("8 MiB");
      assertThat(shown.split("[\r\n]"))
          .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
    } finally {
      System.clearProperty("saev.columns");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "pickle"})
  void aListOfDigestsShowsItsProgress(String format) {
    Path dataset = format.equals("saev") ? Fixtures.small() : Fixtures.pickle("spec");
    System.setProperty("saev.terminal", "true");
    try {
      assertThat(Cli.run("list", dataset, "--digests").stderr()).contains("list", "100%", "MiB/s");
      assertThat(Cli.run("list", dataset, "--digests", "--no-progress").stderr()).isEmpty();
      assertThat(Cli.run("list", dataset).stderr()).isEmpty();
    } finally {
      System.clearProperty("saev.terminal");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "anything"})
  void noColorIsAnyValueButTheEmptyOne(String value) {
    assertThat(Display.mayColor(Map.of("NO_COLOR", value))).isFalse();
    assertThat(Display.mayColor(Map.of("NO_COLOR", "", "TERM", value))).isTrue();
  }

  @Test
  void helpHasNoColorsWhereTheEnvironmentProhibitsThem() {
    System.setProperty("picocli.ansi", "true");
    try {
      Configuration conf = new Configuration();
      assertThat(Cli.run(conf, Map.of(), "convert", "--help").text()).contains(ESCAPE);
      assertThat(Cli.run(conf, Map.of("NO_COLOR", "1"), "convert", "--help").text())
          .contains("--to")
          .doesNotContain(ESCAPE);
    } finally {
      System.clearProperty("picocli.ansi");
    }
  }

  @Test
  void longLinesAreFoldedAtSpaces() {
    String words = "warning: " + "seven77 ".repeat(30).strip();
    String folded = Console.fold(words);
    assertThat(folded.lines()).hasSize(4).allMatch(line -> line.length() <= 80);
    assertThat(folded.lines().skip(1)).allMatch(line -> line.startsWith("  seven77"));
    assertThat(folded.replace("\n  ", " ")).isEqualTo(words);
    assertThat(folded.lines().findFirst().orElseThrow()).hasSizeGreaterThan(72);
  }

  @Test
  void shortLinesLongWordsAndPathsStayAsTheyAre() {
    String word = "x".repeat(100);
    assertThat(Console.fold("a " + "b".repeat(78))).hasSize(80).doesNotContain("\n");
    assertThat(Console.fold("a " + "b".repeat(79))).isEqualTo("a\n  " + "b".repeat(79));
    assertThat(Console.fold("a " + word + " c")).isEqualTo("a\n  " + word + "\n  c");
    assertThat(Console.fold(word)).isEqualTo(word);
    String path = "staged blocks stay in /data/" + word + ": the same command uses them";
    assertThat(Console.fold(path)).isEqualTo(path);
  }
}
