package org.saevhadoop.format.permutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ExampleSampleTest {
  @Property
  void oneExampleOfEachStratumIsChosen(RandomValues any) {
    int examples = any.intBetween(1, 500);
    int count = any.intBetween(1, examples);
    ExampleSample sample = new ExampleSample(examples, count, any.anyLong());
    long[] chosen = LongStream.range(0, count).map(sample::example).toArray();
    long first = 0;
    for (int stratum = 0; stratum < count; stratum++) {
      long next = first + examples / count + (stratum < examples % count ? 1 : 0);
      assertThat(chosen[stratum]).isBetween(first, next - 1);
      first = next;
    }
    assertThat(first).isEqualTo(examples);
    assertThat(LongStream.range(-1, examples + 2).filter(sample::contains).toArray())
        .containsExactly(chosen);
    for (long example = 0; example < examples + 2; example++) {
      long limit = example;
      assertThat(sample.rank(example))
          .isEqualTo(LongStream.of(chosen).filter(some -> some < limit).count());
    }
  }

  @Property
  void rankIsTheInverseOfExampleAtAnySize(RandomValues any) {
    long examples = any.longBetween(1, Permutation.MAX_LENGTH - 1);
    long count = any.longBetween(1, examples);
    ExampleSample sample = new ExampleSample(examples, count, any.anyLong());
    long rank = any.longBetween(0, count - 1);
    long example = sample.example(rank);
    assertThat(example).isBetween(0L, examples - 1);
    assertThat(sample.contains(example)).isTrue();
    assertThat(sample.rank(example)).isEqualTo(rank);
    assertThat(sample.rank(example + 1)).isEqualTo(rank + 1);
    assertThat(sample.rank(examples)).isEqualTo(count);
  }

  @Test
  void fractionsAreRoundedToAtLeastOneExample() {
    assertThat(ExampleSample.of(1000, 0.0001, 1).count()).isEqualTo(1);
    assertThat(ExampleSample.of(1000, 0.0126, 1).count()).isEqualTo(13);
    assertThat(ExampleSample.of(1000, 1, 1).count()).isEqualTo(1000);
    assertThat(ExampleSample.of(0, 0.5, 1).count()).isZero();
    assertThat(ExampleSample.of(0, 0.5, 1).contains(0)).isFalse();
    assertThat(ExampleSample.of(0, 0.5, 1).rank(0)).isZero();
    assertThat(ExampleSample.of((1L << 62) - 1, 1, 1).count()).isEqualTo((1L << 62) - 1);
  }

  @Test
  void impossibleSamplesAreRejected() {
    for (double fraction : new double[] {0, -0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> ExampleSample.of(10, fraction, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    long[][] sizes = {{10, 11}, {10, -1}, {10, 0}, {-1, 0}, {1L << 62, 1}};
    for (long[] size : sizes) {
      assertThatThrownBy(() -> new ExampleSample(size[0], size[1], 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    ExampleSample sample = new ExampleSample(10, 3, 1);
    assertThatThrownBy(() -> sample.example(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> sample.example(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void eachExampleOfAStratumIsEquallyLikelyAndIndependentOfTheNextStratum() {
    int seeds = 90_000;
    int[][] counts = new int[3][3];
    for (long seed = 0; seed < seeds; seed++) {
      ExampleSample sample = new ExampleSample(9, 3, seed);
      counts[(int) sample.example(0)][(int) sample.example(1) - 3]++;
    }
    double chiSquare = 0;
    for (int[] row : counts) {
      for (int count : row) {
        chiSquare += Math.pow(count - seeds / 9.0, 2) / (seeds / 9.0);
      }
    }
    // The 99.9th percentile of chi-square with 8 degrees of freedom.
    assertThat(chiSquare).isLessThan(26.1);
  }

  /** Users repeat a sample by its seed. */
  @Test
  void theSampleOfASeedNeverChanges() {
    ExampleSample sample = new ExampleSample(1000, 5, 42);
    assertThat(LongStream.range(0, 5).map(sample::example).toArray())
        .containsExactly(118, 319, 432, 633, 809);
  }
}
