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

  /** Runs jobs that all fail, and returns the number of jobs that were submitted. */
  private int submit(JobFailedException failure, int... filesAfter) {
    int[] submitted = {0};
    assertThatThrownBy(
            () ->
                lost.repeat(
                    () -> {
                      submitted[0]++;
                      throw failure;
                    },
                    () -> submitted[0] == 0 ? 0 : filesAfter[submitted[0] - 1],
                    "files"))
        .isSameAs(failure);
    return submitted[0];
  }

  @Test
  void anotherJobFollowsOnceAndThenAsLongAsFilesAreCompleted() {
    JobFailedException failure = new JobFailedException("the master died", null, true);
    assertThat(submit(failure, 0, 3, 3)).isEqualTo(3);
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
    assertThat(submit(failure, 5)).isOne();
    assertThat(warnings).isEmpty();
  }

  @Test
  void theResultIsThatOfTheJobThatSucceeds() throws Exception {
    JobFailedException failure = new JobFailedException("the master died", null, true);
    int[] submitted = {0};
    int result =
        lost.repeat(
            () -> {
              if (submitted[0]++ == 0) {
                throw failure;
              }
              return 7;
            },
            () -> 0,
            "");
    assertThat(result).isEqualTo(7);
    assertThat(warnings).singleElement().asString().endsWith("the job is submitted again");
  }
}
