package org.saevhadoop.format.permutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class PermutationTest {
  @Test
  void everyShortLengthIsPermutedAndInverted() {
    for (int n = 0; n <= 300; n++) {
      for (long key = 0; key < 20; key++) {
        Permutation permutation = new Permutation(n, key, ~key);
        BitSet seen = new BitSet();
        for (int i = 0; i < n; i++) {
          long element = permutation.at(i);
          if (element < 0 || element >= n || permutation.indexOf(element) != i) {
            fail("%d of %d, key %d: %d", i, n, key, element);
          }
          seen.set((int) element);
        }
        assertThat(seen.cardinality()).isEqualTo(n);
      }
    }
  }

  @Property
  void theInverseOfAnyLengthReturnsThePosition(RandomValues any) {
    long n = any.longBetween(1, Permutation.MAX_LENGTH);
    Permutation permutation = new Permutation(n, any.anyLong(), any.anyLong());
    for (int i = 0; i < 10; i++) {
      long position = any.longBetween(0, n - 1);
      long element = permutation.at(position);
      assertThat(element).isBetween(0L, n - 1);
      assertThat(permutation.indexOf(element)).isEqualTo(position);
      assertThat(permutation.at(permutation.indexOf(position))).isEqualTo(position);
    }
  }

  @Test
  void lengthsAroundSquaresAndPowersOfTwoArePermuted() {
    for (int n : new int[] {65_535, 65_536, 65_537, 90_000, 90_001, 131_071, 131_073}) {
      Permutation permutation = Permutation.of(n, 7, "test");
      BitSet seen = new BitSet(n);
      for (int i = 0; i < n; i++) {
        seen.set((int) permutation.at(i));
      }
      assertThat(seen.nextClearBit(0)).as("elements below %d", n).isEqualTo(n);
    }
  }

  @Test
  void lengthSeedAndPurposeDetermineThePermutation() {
    assertThat(first(Permutation.of(1000, 1, "rows"))).isEqualTo(first(1000, 1, "rows"));
    assertThat(first(1000, 1, "rows"))
        .isNotEqualTo(first(1000, 2, "rows"))
        .isNotEqualTo(first(1000, 1, "pairs"))
        .isNotEqualTo(first(1001, 1, "rows"));
  }

  /** Users name an order by its seed: another version of the program must return the same one. */
  @Test
  void theOrderOfASeedNeverChanges() {
    assertThat(first(1000, 42, "rows")).containsExactly(SHORT);
    assertThat(first(1L << 40, 42, "rows")).containsExactly(LONG);
  }

  @Test
  void lengthsAndPositionsOutOfRangeAreRejected() {
    assertThatThrownBy(() -> new Permutation(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Permutation(Permutation.MAX_LENGTH + 1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    Permutation permutation = new Permutation(10, 0, 0);
    for (long index : new long[] {-1, 10}) {
      assertThatThrownBy(() -> permutation.at(index)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> permutation.indexOf(index))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static final long[] SHORT = {516, 163, 106, 204, 258, 605, 750, 683};
  private static final long[] LONG = {
    604299469451L,
    374923204156L,
    666184181329L,
    672936799422L,
    81229306383L,
    781883831911L,
    526866696192L,
    180911715816L
  };

  private static long[] first(long n, long seed, String purpose) {
    return first(Permutation.of(n, seed, purpose));
  }

  private static long[] first(Permutation permutation) {
    return LongStream.range(0, 8).map(permutation::at).toArray();
  }
}
