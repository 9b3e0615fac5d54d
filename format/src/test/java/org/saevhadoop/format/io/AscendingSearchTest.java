package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AscendingSearchTest {
  @Test
  void theLastOfTheValuesUpToALimitIsFoundAsAWalkFindsIt() {
    Random random = new Random(1);
    for (int run = 0; run < 500; run++) {
      long[] values = random.longs(random.nextInt(12), 0, 10).sorted().toArray();
      for (long limit = -1; limit <= 11; limit++) {
        int expected = -1;
        while (expected + 1 < values.length && values[expected + 1] <= limit) {
          expected++;
        }
        assertThat(AscendingSearch.lastAtMost(values.length, i -> values[i], limit))
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void valuesAtTheLimitsOfALongAreCompared() {
    long[] values = {Long.MIN_VALUE, 0, Long.MAX_VALUE};
    assertThat(AscendingSearch.lastAtMost(3, i -> values[i], Long.MIN_VALUE)).isZero();
    assertThat(AscendingSearch.lastAtMost(3, i -> values[i], Long.MAX_VALUE)).isEqualTo(2);
  }
}
