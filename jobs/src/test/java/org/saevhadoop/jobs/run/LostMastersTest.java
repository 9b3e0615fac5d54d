package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostMastersTest {
  private final List<String> warnings = new ArrayList<>();
  private final LostMasters lost =
      new LostMasters(
          new RunListener() {
            @Override
            public void warning(String line) {
              warnings.add(line);
            }
          });

  @Test
  void anotherJobFollowsOnceAndThenAsLongAsFilesAreCompleted() throws Exception {
    JobFailedException failure = new JobFailedException("the master died", null, true);
    lost.resubmitOrThrow(failure, false, "files");
    lost.resubmitOrThrow(failure, true, "files");
    assertThatThrownBy(() -> lost.resubmitOrThrow(failure, false, "files")).isSameAs(failure);
    assertThat(warnings)
        .hasSize(2)
        .allMatch(
            line ->
                line.endsWith(
                    "the master died; the job is submitted again, for the files that are missing"));
  }

  @Test
  void noJobFollowsOneThatFailed() {
    JobFailedException failure = new JobFailedException("a task failed", null, false);
    assertThatThrownBy(() -> lost.resubmitOrThrow(failure, true, "files")).isSameAs(failure);
    assertThat(warnings).isEmpty();
  }
}
