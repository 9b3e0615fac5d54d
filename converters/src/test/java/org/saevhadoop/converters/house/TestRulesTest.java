package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pass on a busy machine, where programs report their progress and take their time. */
class TestRulesTest {
  private static final int MIN_SECONDS = 60;

  private static final Pattern MIXED = Pattern.compile("redirectError" + "Stream\\(|2>" + "&1");

  /** A number of seconds, or of milliseconds. */
  private static final Pattern LIMIT =
      Pattern.compile(
          "@Timeout\\((?:value = )?([0-9_]+)"
              + "|Duration\\.ofSeconds\\(([0-9_]+)\\)|\\(([0-9_]+)L?, TimeUnit\\.SECONDS\\)"
              + "|SECONDS\\.toNanos\\(([0-9_]+)\\)"
              + "|(Duration\\.ofMillis\\(|, TimeUnit\\.MILLISECONDS\\)|\\.join\\([1-5]?[0-9]_?[0-9]{3}\\))");

  private static final Pattern SAMPLE =
      Pattern.compile("TestExtent" + "\\.(of|isWhole)\\(|@Property\\([^)]*sample = ");

  /** Limits that are tested themselves, and times for which something else is done. */
  private static final Set<String> EXCEPTIONS =
      Set.of(
          "FaultyReading.java", // the limit of a batch is what is tested
          "KilledJobIT.java", // a kill waits for the next look at the files
          "TwoRunsIT.java", // one of two processes is killed after a random time
          "SmallHeapCommands.java", // its callers give the limit
          "ParallelRequestsTest.java"); // the time in which another request could begin

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String root : List.of("testing", "format", "mapreduce", "jobs", "converters", "dist")) {
      add(Path.of("..", root, root.equals("testing") ? "src" : "src/test"), sources);
    }
    add(Path.of("..", "spark-it", "src"), sources);
    add(Path.of("..", "it"), sources);
    return sources;
  }

  private static void add(Path root, List<Path> sources) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
    }
  }

  private static boolean mixes(String line) {
    return MIXED.matcher(line).find();
  }

  private static boolean isShort(String line) {
    Matcher limit = LIMIT.matcher(line);
    while (limit.find()) {
      if (limit.group(5) != null) {
        return true;
      }
      for (int group = 1; group < 5; group++) {
        String seconds = limit.group(group);
        if (seconds != null && Long.parseLong(seconds.replace("_", "")) < MIN_SECONDS) {
          return true;
        }
      }
    }
    return false;
  }

  /** A progress line on standard error would be among the lines that a test expects. */
  @Test
  void standardOutputAndErrorAreKeptApart() throws IOException {
    for (Path file : sources()) {
      assertThat(Files.readAllLines(file)).as("%s", file).noneMatch(TestRulesTest::mixes);
    }
  }

  @Test
  void noTimeLimitIsShorterThanAMinute() throws IOException {
    List<Path> sources = sources();
    sources.removeIf(file -> EXCEPTIONS.contains(file.getFileName().toString()));
    sources.removeIf(file -> file.endsWith("TestRulesTest.java"));
    for (Path file : sources) {
      assertThat(Files.readAllLines(file)).as("%s", file).noneMatch(TestRulesTest::isShort);
    }
  }

  /** The profile long, which runs all cases, selects the tests by this tag; it/moments by name. */
  @Test
  void whatRunsASampleOfItsCasesIsTaggedSampled() throws IOException {
    List<Path> classes = sources();
    classes.removeIf(file -> !file.toString().matches(".*(Test|IT)\\.java"));
    for (Path file : classes) {
      String source = Files.readString(file);
      if (SAMPLE.matcher(source).find() && !file.toString().matches(".*/Moments(Hdfs)?IT\\.java")) {
        assertThat(source).as("%s", file).contains("@Tag(\"sampled\")");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Timeout(30)",
        "@Timeout(value = 59, x)",
        "Duration.ofSeconds(5)",
        "waitFor(10, TimeUnit.SECONDS)",
        "TimeUnit.SECONDS.toNanos(10)",
        "get(500, TimeUnit.MILLISECONDS)",
        "thread.join(10_000)"
      })
  void aShortLimitIsFound(String line) {
    assertThat(isShort(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Timeout(60)",
        "Duration.ofSeconds(90)",
        "waitFor(2, TimeUnit.MINUTES)",
        "get(100, TimeUnit.SECONDS)"
      })
  void aLongLimitIsNot(String line) {
    assertThat(isShort(line)).isFalse();
  }
}
