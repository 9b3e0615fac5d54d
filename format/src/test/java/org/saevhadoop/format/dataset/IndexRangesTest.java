package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IndexRangesTest {
  private static List<Long> indexes(List<IndexRange> ranges) {
    return ranges.stream()
        .flatMap(range -> LongStream.range(range.start(), range.stop()).boxed())
        .toList();
  }

  @Test
  void aSliceHasTheIndexesThatAListOfAllHasThere() {
    Random random = new Random(1);
    for (int run = 0; run < 200; run++) {
      List<IndexRange> list = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        long start = random.nextInt(30);
        list.add(new IndexRange(start, start + 1 + random.nextInt(5)));
      }
      List<Long> all = indexes(list);
      IndexRanges ranges = new IndexRanges(list);
      assertThat(ranges.length()).isEqualTo(all.size());
      assertThat(ranges.list()).isEqualTo(list);
      for (int first = 0; first <= all.size(); first++) {
        for (int end = first; end <= all.size(); end++) {
          assertThat(indexes(ranges.slice(first, end - first))).isEqualTo(all.subList(first, end));
        }
        assertThat(indexes(ranges.slice(first, Long.MAX_VALUE)))
            .isEqualTo(all.subList(first, all.size()));
      }
      for (int i = 0; i < all.size(); i++) {
        assertThat(ranges.index(i)).isEqualTo(all.get(i));
      }
    }
  }

  @Test
  void rangesThatAdjoinInTheirOrderAreMerged() {
    List<IndexRange> pieces =
        List.of(
            new IndexRange(5, 7), new IndexRange(7, 8), new IndexRange(2, 5), new IndexRange(5, 6));
    assertThat(IndexRanges.merged(pieces))
        .containsExactly(new IndexRange(5, 8), new IndexRange(2, 6));
    assertThat(IndexRanges.ascend(pieces)).isFalse();
    assertThat(IndexRanges.ascend(pieces.subList(0, 2))).isTrue();
    IndexRanges.checkDisjoint(pieces.subList(0, 3));
    assertThatThrownBy(() -> IndexRanges.checkDisjoint(pieces))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("5:7 and 5 overlap");
  }
}
