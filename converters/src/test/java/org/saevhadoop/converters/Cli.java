package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.xerial.snappy.Snappy;

/**
 * Runs commands in this JVM as a person would, and keeps what they print. Lines of standard error
 * that were folded are whole again.
 */
public record Cli(int exitCode, byte[] stdout, String stderr, Throwable failure) {
  /** What a command that failed leaves on standard output: with --json, the error. */
  private static final String NOTHING = "(\\{\"schema\":1,\"error\":.*\\}\n)?";

  private static final Set<String> WRITERS = Set.of("convert", "shuffle");

  /** Hides the site files of tests, which are there because Hadoop asks for them often. */
  private static final ClassLoader WITHOUT_SITES =
      new ClassLoader(Cli.class.getClassLoader()) {
        @Override
        public URL getResource(String name) {
          return name.endsWith("-site.xml") ? null : super.getResource(name);
        }
      };

  /** Hadoop's defaults, which each command would parse again. */
  private static final Configuration WRITING = new Configuration();

  // Snappy's library is extracted once per JVM, to the folder of whichever command needs it first.
  // Here commands run side by side, and another command's folder may be full or being deleted.
  static {
    Snappy.getNativeLibraryVersion();
    WRITING.setClassLoader(WITHOUT_SITES);
    ConfSettings.set(WRITING, OutputKeys.SYNC, OutputKeys.Sync.NEVER);
  }

  /** Runs a command of words; arrays and collections among them are taken apart. */
  public static Cli run(Configuration conf, Object... args) {
    return run(conf, Map.of(), args);
  }

  /** Runs a command with variables of the environment. */
  public static Cli run(Configuration conf, Map<String, String> environment, Object... args) {
    return run((main, words) -> main.run(conf, words), environment, args);
  }

  /**
   * Runs a command as the program does that a person calls, without any configuration, but leaves
   * it to the system when files are forced to the disk: a small conversion spends most of its time
   * on that, and only a power failure shows it (DurabilityIT).
   */
  public static Cli run(Object... args) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(WITHOUT_SITES);
    try {
      if (args.length > 0 && words(args).findFirst().filter(WRITERS::contains).isPresent()) {
        return run(WRITING, args);
      }
      return runWithSites(args);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Runs a command as the program does, with the site files on the class path of the thread. */
  public static Cli runWithSites(Object... args) {
    return run(Main::run, Map.of(), args);
  }

  private static Cli run(
      ToIntBiFunction<Main, String[]> run, Map<String, String> environment, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] words = words(args).toArray(String[]::new);
    Main main =
        new Main(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .with(environment);
    int exitCode = run.applyAsInt(main, words);
    String stderr = err.toString(StandardCharsets.UTF_8).replaceAll("\n  (?=\\S)", " ");
    return new Cli(exitCode, out.toByteArray(), stderr, main.failure());
  }

  /** Converts to a format, which is the first of the options; those are words between spaces. */
  public static Cli convert(Object from, Object to, String options, Object... more) {
    return run("convert", from, to, "--to", options.strip().split(" "), more);
  }

  /** Takes the arrays and collections among words apart. */
  public static Stream<String> words(Object word) {
    if (word instanceof Object[] several) {
      return Arrays.stream(several).flatMap(Cli::words);
    }
    return word instanceof Collection<?> several
        ? several.stream().flatMap(Cli::words)
        : Stream.of(String.valueOf(word));
  }

  public Cli succeeds() {
    assertThat(exitCode).as(stderr).isZero();
    return this;
  }

  /** Asserts that a check of a structure has found nothing but what a format calls unusual. */
  public Cli findsNoProblem() {
    String unusual = "(warning UNUSUAL .*\n(  .*\n)?)*";
    assertThat(succeeds().text())
        .matches(unusual + "(no problem found|checked): \\d+ files?, [^\n]*, 0 vectors.*\n");
    return this;
  }

  /** Returns the lines of a check that report errors, without the advice and the last line. */
  public List<String> errors() {
    return text().lines().filter(line -> line.startsWith("error ")).toList();
  }

  /** Asserts that it ended with exit code 2 and one line that has these parts. */
  public Cli failsAsUsage(String... parts) {
    assertThat(exitCode).as(stderr).isEqualTo(2);
    assertThat(stderr.lines()).hasSize(1);
    assertThat(text()).matches(NOTHING);
    assertThat(List.of(parts)).allSatisfy(part -> assertThat(stderr).contains(part));
    return this;
  }

  /** Asserts that it ended with exit code 1 and one line, the message of an error in data. */
  public Cli failsWith(ErrorKind kind, Object path) {
    String line = failsWithOneLine();
    FormatException error = ErrorAssertions.assertError(kind, path, failure);
    assertThat(line).isEqualTo(ErrorMessages.describe(error));
    return this;
  }

  /** Asserts that it ended with exit code 1 and one line, of an error in a dataset or its files. */
  public Cli failsWithKind(String kind, Path dataset) {
    FormatException error = ErrorAssertions.find(failure);
    assertThat(failsWithOneLine()).isEqualTo(ErrorMessages.describe(error));
    assertThat(error.kind().name()).as(error.getMessage()).isEqualTo(kind);
    assertThat(error.path()).startsWith(dataset.toString());
    return this;
  }

  /** Asserts that it ended with exit code 1 and one line, which has these parts. */
  public Cli failsWithText(String... parts) {
    assertThat(failsWithOneLine()).contains(parts);
    return this;
  }

  /** Asserts that {@code verify --structure} finds no error. */
  public static Cli assertSound(Path dataset) {
    return run("verify", dataset, "--structure").findsNoProblem();
  }

  /** Returns the lines of the errors that {@code verify --structure} prints, one at least. */
  public static String problems(Path dataset) {
    Cli check = run("verify", dataset, "--structure");
    assertThat(check.exitCode).as(check.stderr).isEqualTo(1);
    assertThat(check.errors()).isNotEmpty();
    return String.join("\n", check.errors()) + "\n";
  }

  /** Asserts the same of an error in data. */
  public Cli failsWithText(ErrorKind kind, String... parts) {
    assertThat(ErrorAssertions.find(failure).kind()).as(stderr).isEqualTo(kind);
    return failsWithText(parts);
  }

  private String failsWithOneLine() {
    assertThat(exitCode).as(text() + stderr).isEqualTo(1);
    List<String> lines =
        stderr.lines().filter(l -> !l.matches("(convert|unpack|warning|next): .*")).toList();
    assertThat(lines).as(stderr).hasSize(1);
    assertThat(text()).matches(NOTHING);
    return lines.get(0);
  }

  public String text() {
    return new String(stdout, StandardCharsets.UTF_8);
  }

  public String lastLine() {
    List<String> lines = text().lines().toList();
    return lines.get(lines.size() - 1);
  }

  public Path lastLinePath() {
    return Path.of(lastLine());
  }

  public JsonNode json() throws java.io.IOException {
    return new ObjectMapper().readTree(stdout);
  }
}
