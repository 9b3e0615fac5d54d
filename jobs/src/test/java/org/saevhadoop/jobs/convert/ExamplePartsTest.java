package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.mapreduce.job.ExampleRange;

class ExamplePartsTest {
  private static final String FIRST = ExampleParts.range(0, 3);
  private static final String SECOND = ExampleParts.range(3, 4);
  private static final String LAST = ExampleParts.range(9, 1);

  private static List<ExampleRange> missing(String... names) {
    return ExampleParts.missing(List.of(names), 10);
  }

  @Test
  void withoutPartsAllExamplesAreMissing() {
    assertThat(missing()).containsExactly(new ExampleRange(0, 10));
    assertThat(ExampleParts.missing(List.of(), 0)).isEmpty();
  }

  @Test
  void gapsBetweenPartsInAnyOrderAreMissing() {
    assertThat(missing(LAST, FIRST)).containsExactly(new ExampleRange(3, 6));
    assertThat(missing(LAST, SECOND))
        .containsExactly(new ExampleRange(0, 3), new ExampleRange(7, 2));
    assertThat(missing(SECOND, FIRST)).containsExactly(new ExampleRange(7, 3));
  }

  @Test
  void nothingIsMissingIfPartsOfConsecutiveRangesEndWithTheLastExample() {
    assertThat(missing(LAST, SECOND, FIRST, ExampleParts.range(7, 2))).isEmpty();
  }

  @Test
  void otherPartsAreNotCounted() {
    assertThat(missing("plan", "side-000000000000-10", FIRST + ".tmp", "_" + FIRST))
        .containsExactly(new ExampleRange(0, 10));
  }
}
