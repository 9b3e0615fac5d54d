package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SplitMix64Test {
  @Test
  void numbersAreThoseOfTheReferenceImplementation() {
    SplitMix64 random = new SplitMix64();
    assertThat(random.nextLong()).isEqualTo(0xE220A8397B1DCDAFL);
    assertThat(random.nextLong()).isEqualTo(0x6E789E6AA1B965F4L);
    assertThat(random.nextLong()).isEqualTo(0x06C45D188009454FL);
  }

  @Test
  void everyKeyCounts() {
    long number = new SplitMix64(17, 0).nextLong();
    assertThat(number).isEqualTo(new SplitMix64(17, 0).nextLong());
    assertThat(number).isNotEqualTo(new SplitMix64(17, 1).nextLong());
    assertThat(number).isNotEqualTo(new SplitMix64(18, 0).nextLong());
    assertThat(number).isNotEqualTo(new SplitMix64(0, 17).nextLong());
  }

  @Test
  void boundedNumbersAreEachAsLikely() {
    SplitMix64 random = new SplitMix64(1);
    int[] counts = new int[7];
    for (int i = 0; i < 700_000; i++) {
      counts[random.nextInt(7)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(98_800, 101_200);
    }
  }

  /** Without rejection, a third of the numbers would be twice as likely as the others. */
  @Test
  void aBoundThatDoesNotDivideTheRangeMakesNoNumberLikelier() {
    SplitMix64 random = new SplitMix64(2);
    int bound = 3 << 29;
    int odd = 0;
    for (int i = 0; i < 300_000; i++) {
      odd += random.nextInt(bound) % 3 == 0 ? 1 : 0;
    }
    assertThat(odd).isBetween(98_500, 101_500);
  }

  @Test
  void permutationsOfThreeAreEachAsLikely() {
    SplitMix64 random = new SplitMix64(3);
    int[] counts = new int[27];
    int[] numbers = new int[3];
    for (int i = 0; i < 60_000; i++) {
      random.permute(numbers);
      counts[numbers[0] * 9 + numbers[1] * 3 + numbers[2]]++;
    }
    for (int permutation : new int[] {5, 7, 11, 15, 19, 21}) {
      assertThat(counts[permutation]).isBetween(9_600, 10_400);
    }
  }
}
