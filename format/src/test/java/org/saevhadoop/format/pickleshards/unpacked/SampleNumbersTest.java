package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SampleNumbersTest {
  @Property(tries = 100)
  void itAnswersAsAMapDoes(RandomValues any) {
    long seed = any.seed();
    Random random = new Random(seed);
    Map<Long, Integer> map = new HashMap<>();
    SampleNumbers numbers = new SampleNumbers();
    for (int i = 0; i < 3000; i++) {
      long id =
          random.nextBoolean() ? random.nextInt(2000) : random.nextLong() >>> random.nextInt(64);
      assertThat(numbers.get(id)).isEqualTo(map.getOrDefault(id, -1));
      if (map.putIfAbsent(id, i) == null) {
        numbers.put(id, i);
      }
    }
    map.forEach((id, number) -> assertThat(numbers.get(id)).isEqualTo(number));
  }

  @Test
  void idsOfAnyPatternTakeLittleTime() {
    assertQuick(i -> i);
    assertQuick(i -> i << 42);
    assertQuick(i -> Long.MAX_VALUE - i);
    assertQuick(i -> i * 0x1_0000_0001L);
    // the inverse of the usual factor: products that follow one another
    assertQuick(i -> i * 0xF1DE83E19937733DL >>> 1);
  }

  private static void assertQuick(LongUnaryOperator id) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          SampleNumbers numbers = new SampleNumbers();
          for (int i = 0; i < 1 << 20; i++) {
            long next = id.applyAsLong(i);
            if (numbers.get(next) < 0) {
              numbers.put(next, i);
            }
          }
          assertThat(numbers.get(id.applyAsLong(77))).isEqualTo(77);
        });
  }
}
