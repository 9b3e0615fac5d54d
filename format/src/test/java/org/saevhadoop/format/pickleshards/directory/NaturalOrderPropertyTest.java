package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class NaturalOrderPropertyTest {
  @Property
  void numbersOfAnySizeAndPaddingComeInTheirOrder(
      @ForAll BigInteger a,
      @ForAll BigInteger b,
      @ForAll @IntRange(max = 5) int zeros,
      @ForAll @IntRange(max = 5) int otherZeros) {
    String first = "shard_" + "0".repeat(zeros) + a.abs() + ".pkl";
    String second = "shard_" + "0".repeat(otherZeros) + b.abs() + ".pkl";
    int expected = a.abs().compareTo(b.abs());
    if (expected != 0) {
      assertThat(Integer.signum(NaturalOrder.OF_NAMES.compare(first, second))).isEqualTo(expected);
    }
  }

  @Property
  void itIsAnOrderInWhichOnlyEqualNamesAreEqual(
      @ForAll("names") String a, @ForAll("names") String b, @ForAll("names") String c) {
    int ab = compare(a, b);
    assertThat(ab).isEqualTo(-compare(b, a));
    assertThat(ab == 0).isEqualTo(a.equals(b));
    if (ab <= 0 && compare(b, c) <= 0) {
      assertThat(compare(a, c)).isLessThanOrEqualTo(0);
    }
  }

  @Property
  void sortingDoesNotDependOnTheOrderBefore(
      @ForAll @Size(max = 8) List<@net.jqwik.api.From("names") String> names) {
    List<String> sorted = new ArrayList<>(names);
    sorted.sort(NaturalOrder.OF_NAMES);
    List<String> backwards = new ArrayList<>(names);
    java.util.Collections.reverse(backwards);
    backwards.sort(NaturalOrder.OF_NAMES);
    assertThat(backwards).isEqualTo(sorted);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("019a_.").ofMaxLength(8);
  }

  private static int compare(String a, String b) {
    return Integer.signum(NaturalOrder.OF_NAMES.compare(a, b));
  }
}
