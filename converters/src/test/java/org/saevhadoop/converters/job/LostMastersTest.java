package org.saevhadoop.converters.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.console.Console;

class LostMastersTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final LostMasters lost =
      new LostMasters(
          new Console(
              new Configuration(false),
              System.out,
              new PrintStream(err, true, StandardCharsets.UTF_8)));

  @Test
  void anotherJobFollowsOnceAndThenAsLongAsFilesAreCompleted() throws Exception {
    JobRun.Failed failure = new JobRun.Failed("the master died", null, true);
    assertThat(lost.isRepeated()).isFalse();
    lost.survive(failure, false, "files");
    assertThat(lost.isRepeated()).isTrue();
    lost.survive(failure, true, "files");
    assertThatThrownBy(() -> lost.survive(failure, false, "files")).isSameAs(failure);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(
            line ->
                line.endsWith(
                    "the master died; the job is submitted again, for the files that are missing"));
  }

  @Test
  void noJobFollowsOneThatFailed() {
    JobRun.Failed failure = new JobRun.Failed("a task failed", null, false);
    assertThatThrownBy(() -> lost.survive(failure, true, "files")).isSameAs(failure);
    assertThat(err.size()).isZero();
  }
}
