package org.saevhadoop.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyTest {
  private static final List<Long> SEEN = new ArrayList<>();
  private static final int TRIES = 500;

  @Property(tries = TRIES)
  void eachTryHasValuesOfItsOwn(RandomValues any, TestInfo info) {
    assertThat(info.getDisplayName()).startsWith("eachTryHasValuesOfItsOwn");
    SEEN.add(any.seed());
    assumeTrue(SEEN.size() % 2 == 0);
  }

  @AfterAll
  static void triesThatAnAssumptionRejectedWereReplaced() {
    assertThat(SEEN).hasSize(2 * TRIES).doesNotHaveDuplicates();
  }

  @Test
  void aFailureReportsTheSeedAndTheValuesOfItsTry() {
    PropertyExtension.Body body =
        any -> {
          int number = any.intBetween(0, 999);
          List<Boolean> list = any.list(0, 2, any::bool);
          assertThat(number).as("%s", list).isNotEqualTo(500);
        };
    String message = failure(100_000, 1, body);
    assertThat(message)
        .containsPattern("try \\d+ of 100000 fails; -Dsaev.seed=\\d+ repeats it")
        .containsPattern("values: \\[500, \\[.*\\]\\]\n");
    long seed = Long.parseLong(message.replaceFirst("(?s).*saev.seed=(\\d+).*", "$1"));
    assertThat(failure(1, seed, body)).isEqualTo(message.replaceFirst("\\d+ of \\d+", "1 of 1"));
  }

  private static String failure(int tries, long seed, PropertyExtension.Body body) {
    try {
      PropertyExtension.runTries(tries, seed, body);
    } catch (AssertionError e) {
      return e.getMessage();
    }
    throw new IllegalStateException("no try failed");
  }

  @Test
  void aPropertyWhoseAssumptionsNeverHoldFails() {
    assertThatThrownBy(() -> PropertyExtension.runTries(10, 1, any -> assumeTrue(false)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("assumptions hold in 0 tries only");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4",
    "-3, 3",
    "5, 5",
    "2147483646, 2147483649",
    "9223372036854775804, 9223372036854775807",
    "-9223372036854775808, -9223372036854775806"
  })
  void everyNumberOfAShortRangeIsDrawnAndNoOther(long min, long max) {
    Map<Long, Integer> counts = counts(2000, any -> any.longBetween(min, max));
    assertThat(counts).hasSize((int) (max - min + 1));
    assertThat(counts.keySet()).allMatch(number -> number >= min && number <= max);
    assertThat(counts.values()).allMatch(count -> count > 50);
  }

  @Test
  void boundariesAreDrawnOften() {
    assertThat(counts(1000, RandomValues::anyLong))
        .containsKeys(Long.MIN_VALUE, Long.MAX_VALUE, 0L, 1L, -1L, Long.MAX_VALUE - 1);
    assertThat(counts(1000, RandomValues::anyInt))
        .containsKeys(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, -1);
    assertThat(counts(1000, any -> any.intBetween(7, 5000))).containsKeys(7, 8, 4999, 5000);
    assertThat(counts(1000, RandomValues::anyDouble))
        .containsKeys(0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE);
    assertThat(counts(1000, any -> any.doubleBetween(0.01, 0.99))).containsKeys(0.01, 0.99);
    assertThat(counts(1000, any -> any.text(0, 40).length())).containsKeys(0, 1, 39, 40);
    assertThat(counts(1000, any -> any.list(0, 40, any::bool).size())).containsKeys(0, 1, 39, 40);
    assertThat(counts(1000, any -> any.bytes(0, 255).length)).containsKeys(0, 1, 254, 255);
    assertThat(counts(1000, any -> any.bigInteger(64).bitLength())).containsKeys(0, 63, 64);
    assertThat(counts(1000, any -> any.<Integer>orNull(any::anyInt) == null)).hasSize(2);
  }

  @Test
  void numbersOfAllMagnitudesAreDrawn() {
    assertThat(counts(5000, any -> Long.numberOfLeadingZeros(any.anyLong()))).hasSize(65);
  }

  @Test
  void textsHaveEveryKindOfCharacter() {
    StringBuilder all = new StringBuilder();
    for (int seed = 0; seed < 1000; seed++) {
      all.append(new RandomValues(seed).text(0, 20)).append(' ');
    }
    assertThat(all.toString()).contains("\0", "\n", "\"", "\\", "\uffff", "a");
    assertThat(all.codePoints().filter(Character::isSupplementaryCodePoint).count())
        .isGreaterThan(100);
    assertThat(all.codePoints().filter(c -> c >= 0xd800 && c <= 0xdfff).count()).isGreaterThan(100);
  }

  @Test
  void elementsWithEqualKeysAreDrawnOnce() {
    for (int seed = 0; seed < 100; seed++) {
      RandomValues any = new RandomValues(seed);
      List<Integer> list = any.distinct(1, 5, n -> n % 5, () -> any.intBetween(0, 100));
      assertThat(list).isNotEmpty();
      assertThat(list.stream().map(n -> n % 5)).doesNotHaveDuplicates();
    }
    RandomValues any = new RandomValues(1);
    assertThatThrownBy(() -> any.distinct(3, 3, n -> n, any::bool))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> any.filtered(any::bool, n -> false))
        .isInstanceOf(IllegalStateException.class);
  }

  private static <T> Map<T, Integer> counts(int tries, Function<RandomValues, T> values) {
    Map<T, Integer> counts = new HashMap<>();
    for (int seed = 0; seed < tries; seed++) {
      counts.merge(values.apply(new RandomValues(seed)), 1, Integer::sum);
    }
    return counts;
  }
}
