package org.saevhadoop.jobs.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.mapreduce.job.ExampleRange;

class StagedRowsTest {
  private static final String FIRST = "rows-" + StagedRows.range(0, 3);
  private static final String SECOND = "rows-" + StagedRows.range(3, 4);
  private static final String LAST = "rows-" + StagedRows.range(9, 1);

  private static List<ExampleRange> missing(String... names) {
    return StagedRows.missing(List.of(names), 10);
  }

  @Test
  void withoutFilesAllExamplesAreMissing() {
    assertThat(missing()).containsExactly(new ExampleRange(0, 10));
    assertThat(StagedRows.missing(List.of(), 0)).isEmpty();
  }

  @Test
  void gapsBetweenFilesInAnyOrderAreMissing() {
    assertThat(missing(LAST, FIRST)).containsExactly(new ExampleRange(3, 6));
    assertThat(missing(LAST, SECOND))
        .containsExactly(new ExampleRange(0, 3), new ExampleRange(7, 2));
    assertThat(missing(SECOND, FIRST)).containsExactly(new ExampleRange(7, 3));
  }

  @Test
  void nothingIsMissingIfFilesOfConsecutiveRangesEndWithTheLastExample() {
    assertThat(missing(LAST, SECOND, FIRST, "rows-" + StagedRows.range(7, 2))).isEmpty();
  }

  @Test
  void otherFilesAreNotCounted() {
    assertThat(missing("shuffle.json", "side-000000000000-10", FIRST + ".tmp", "_" + FIRST))
        .containsExactly(new ExampleRange(0, 10));
  }
}
