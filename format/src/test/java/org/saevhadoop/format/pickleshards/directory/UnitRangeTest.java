package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/** Ranges of ids of several directories. */
class UnitRangeTest {
  private static UnitRange range(int unit, long least, long greatest) {
    return new UnitRange(unit, new IdRange(least, greatest));
  }

  private static boolean overlap(UnitRange a, UnitRange b) {
    return a.unit() != b.unit()
        && a.ids().least() <= b.ids().greatest()
        && b.ids().least() <= a.ids().greatest();
  }

  @Test
  void rangesOfOneDirectoryMayOverlap() {
    assertThat(UnitRange.firstOverlap(List.of(range(0, 0, 9), range(0, 5, 20), range(1, 21, 30))))
        .isEmpty();
    assertThat(UnitRange.firstOverlap(List.of(range(0, 0, 9), range(1, 9, 10))))
        .contains(List.of(range(0, 0, 9), range(1, 9, 10)));
    assertThat(UnitRange.firstOverlap(List.of())).isEmpty();
  }

  @Test
  void anOverlapIsFoundAmongAnyRanges() {
    Random random = new Random(7);
    int found = 0;
    for (int run = 0; run < 5_000; run++) {
      List<UnitRange> ranges = new ArrayList<>();
      int units = 1 + random.nextInt(4);
      for (int i = random.nextInt(7); i > 0; i--) {
        long least = random.nextInt(60);
        ranges.add(range(random.nextInt(units), least, least + random.nextInt(12)));
      }
      boolean expected =
          ranges.stream().anyMatch(a -> ranges.stream().anyMatch(b -> overlap(a, b)));
      Optional<List<UnitRange>> pair = UnitRange.firstOverlap(ranges);
      assertThat(pair.isPresent()).as("%s", ranges).isEqualTo(expected);
      pair.ifPresent(both -> assertThat(overlap(both.get(0), both.get(1))).isTrue());
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(1_000, 4_000);
  }
}
