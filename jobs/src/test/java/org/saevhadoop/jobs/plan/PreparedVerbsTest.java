package org.saevhadoop.jobs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.diff.Diff;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.shuffle.Shuffle;
import org.saevhadoop.jobs.stats.Statistics;
import org.saevhadoop.jobs.verify.Verification;

/** A question to all verbs, which each answers without being run: how many bytes it would read. */
class PreparedVerbsTest {
  private static final Configuration CONF = new Configuration();

  /** The bytes of the values of the dataset: 7 examples of 3 layers, 10 tokens and 16 dims. */
  private static final long BYTES = 7 * 3 * 10 * 16 * Float.BYTES;

  @TempDir static Path folder;

  /** A verb, and how often it reads all values. */
  private record Question(Verb<?> verb, int reads) {
    @Override
    public String toString() {
      return verb.getClass().getSimpleName();
    }
  }

  static Stream<Question> verbs() {
    String source = TestDatasets.saev().toString();
    Conversion conversion =
        Conversion.of(source, folder.resolve("out").toString(), "safetensors", CONF);
    return Stream.of(
        new Question(conversion, 1),
        new Question(Digest.of(source, CONF), 1),
        new Question(Diff.of(source, source, CONF), 2),
        new Question(Statistics.of(source, CONF), 1),
        new Question(Verification.of(source, CONF), 1),
        new Question(Shuffle.of(conversion, 7), 2));
  }

  private static long bytesRead(Verb<?> verb) throws Exception {
    List<RunPlan> plans = verb.describe(RunListener.NONE);
    return plans.stream().mapToLong(RunPlan::bytesRead).sum();
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void aVerbStatesWhatItWouldReadAndDoesNothing(Question question) throws Exception {
    assertThat(bytesRead(question.verb)).isEqualTo(question.reads * BYTES);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aStreamIsReadOnceToBeStaged() throws Exception {
    Path pickle = TestDatasets.pickle();
    long bytes = 0;
    try (Stream<Path> files = Files.walk(pickle)) {
      for (Path file : files.filter(path -> path.toString().contains(".pkl")).toList()) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytesRead(Digest.of(pickle.toString(), CONF))).isEqualTo(bytes);
    Conversion conversion =
        Conversion.of(pickle.toString(), folder.resolve("out").toString(), "npy", CONF);
    assertThat(bytesRead(conversion)).isEqualTo(bytes);
  }
}
