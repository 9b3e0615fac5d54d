package org.saevhadoop.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The targets of {@code mvn -P fuzz}, which starts a JVM for each class, two at a time. */
class FuzzTargetsTest {
  private static final int START_SECONDS = 8;
  private static final int MAX_SECONDS = 360;

  @Test
  void allTargetsTogetherTakeAtMostSixMinutes() throws IOException {
    Matcher seconds =
        Pattern.compile("<fuzz.seconds>(\\d+)</fuzz.seconds>")
            .matcher(Files.readString(Path.of("pom.xml")));
    assertThat(seconds.find()).isTrue();
    int each = Integer.parseInt(seconds.group(1)) + START_SECONDS;
    assertThat((targets().size() + 1) / 2 * each).isLessThanOrEqualTo(MAX_SECONDS);
  }

  @Test
  void eachTargetIsTheOnlyOneOfAClassThatTheProfileFinds() throws IOException {
    for (Path target : targets()) {
      assertThat(target.getFileName().toString()).endsWith("FuzzTest.java");
      assertThat(Files.readString(target).split("@FuzzTest\\b")).as("%s", target).hasSize(2);
    }
  }

  private static List<Path> targets() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files.filter(FuzzTargetsTest::isTarget).toList();
    }
  }

  private static boolean isTarget(Path file) {
    try {
      return file.toString().endsWith(".java")
          && Pattern.compile("(?m)^  @FuzzTest\\b").matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
