package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class VectorPairsTest {
  @Property(tries = 100)
  void pairsAreTheFirstVectorsOfTheSeedsOrder(RandomValues any) {
    Random random = new Random(any.seed());
    int vectors = 2 + random.nextInt(300);
    int pairs = 1 + random.nextInt(vectors / 2);
    long seed = random.nextLong();
    Permutation order = Permutation.of(vectors, seed, "pairs");
    VectorPairs drawn = VectorPairs.draw(pairs, vectors, seed);
    for (int i = 0; i < vectors; i++) {
      assertThat(drawn.slot(order.at(i))).isEqualTo(i < 2 * pairs ? i : -1);
    }
  }

  @Test
  void pairsAreLimitedByTheirNumberAndTheSizeOfTheirVectors() {
    assertThat(VectorPairs.count(101, 4)).isEqualTo(50);
    assertThat(VectorPairs.count(1 << 20, 4)).isEqualTo(4096);
    assertThat(VectorPairs.count(1 << 20, 1 << 20)).isEqualTo(32);
  }
}
