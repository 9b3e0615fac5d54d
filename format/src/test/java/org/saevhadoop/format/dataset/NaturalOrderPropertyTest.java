package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class NaturalOrderPropertyTest {
  @Property
  void numbersOfAnySizeAndPaddingComeInTheirOrder(RandomValues any) {
    BigInteger a = any.bigInteger(100);
    BigInteger b = any.bigInteger(100);
    int zeros = any.intBetween(0, 5);
    int otherZeros = any.intBetween(0, 5);
    String first = "shard_" + "0".repeat(zeros) + a.abs() + ".pkl";
    String second = "shard_" + "0".repeat(otherZeros) + b.abs() + ".pkl";
    int expected = a.abs().compareTo(b.abs());
    if (expected != 0) {
      assertThat(Integer.signum(NaturalOrder.OF_NAMES.compare(first, second))).isEqualTo(expected);
    }
  }

  @Property
  void itIsAnOrderInWhichOnlyEqualNamesAreEqual(RandomValues any) {
    String a = name(any);
    String b = name(any);
    String c = name(any);
    int ab = compare(a, b);
    assertThat(ab).isEqualTo(-compare(b, a));
    assertThat(ab == 0).isEqualTo(a.equals(b));
    if (ab <= 0 && compare(b, c) <= 0) {
      assertThat(compare(a, c)).isLessThanOrEqualTo(0);
    }
  }

  private static String name(RandomValues any) {
    return any.textOf("019a_.", 0, 8);
  }

  private static int compare(String a, String b) {
    return Integer.signum(NaturalOrder.OF_NAMES.compare(a, b));
  }
}
