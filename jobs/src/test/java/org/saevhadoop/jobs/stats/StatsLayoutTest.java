package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class StatsLayoutTest {
  @Property(tries = 300)
  void aGroupHas64TimesTheSizeOfItsSumsAndIsNotLargerThanNeeded(RandomValues any) {
    Random random = new Random(any.seed());
    Geometry geometry =
        new Geometry(
            1 + random.nextInt(1 << random.nextInt(30)),
            List.of(0),
            1 + random.nextInt(100),
            20 + random.nextInt(5000));
    long sampled = geometry.examples() - (long) (0.99 * random.nextDouble() * geometry.examples());
    StatsLayout layout = new StatsLayout(geometry, 0, sampled);
    long sums = layout.sumsBytes();
    double share = (double) sampled / geometry.examples();
    double blockBytes = geometry.tokens() * geometry.vectorBytes() * share;
    long examples = layout.groupExamples();
    assertThat(examples * blockBytes).isGreaterThanOrEqualTo(64 * sums * (1 - 1e-12));
    assertThat(geometry.examples() / examples).isLessThan(8192);
    if (examples > Math.max(1, geometry.examples() / 4096)) {
      assertThat((examples - 1) * blockBytes).isLessThan(64.0 * sums);
    }
  }

  @Test
  void theLabelsAndThePaddingOfAGroupFitIntoMemory() {
    Geometry geometry = new Geometry(1L << 40, List.of(0), 4, 1);
    assertThat(new StatsLayout(geometry, 0, 100).groupExamples()).isEqualTo(1 << 23);
  }

  @Test
  void layersAreReadOneAfterAnotherIfTheirSumsExceed16MiB() {
    for (int layers : new int[] {14, 15}) {
      List<Integer> numbers = IntStream.range(0, layers).boxed().toList();
      Geometry geometry = new Geometry(100, numbers, 1, 16_384); // sums of 1.129 MiB
      assertThat(new StatsLayout(geometry, 0, 100).byLayer()).isEqualTo(layers == 15);
    }
  }
}
