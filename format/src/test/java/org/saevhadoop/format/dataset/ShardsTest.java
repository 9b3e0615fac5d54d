package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ShardsTest {
  @Property(tries = 200)
  void theShardOfAnExampleIsTheOneThatHoldsIt(RandomValues any) {
    List<Integer> counts = any.list(0, 40, () -> any.intBetween(0, 5));
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      expected.addAll(Collections.nCopies(counts.get(i), i));
    }
    Shards shards = shards(counts);
    for (int example = 0; example < expected.size(); example++) {
      assertThat(shards.indexOf(example)).isEqualTo(expected.get(example));
    }
    assertThat(shards.indexOf(-1)).isEqualTo(-1);
    assertThat(shards.indexOf(expected.size())).isEqualTo(-1);
    assertThat(shards.examples()).isEqualTo(expected.size());
    assertThat(shards).containsExactlyElementsOf(shards.list());
  }

  @Property(tries = 200)
  void theSlicesOfARangeAreItsExamplesInTheirFiles(RandomValues any) {
    Shards shards = shards(any.list(0, 12, () -> any.intBetween(0, 4)));
    long next = shards.examples();
    for (long first = 0; first < next; first++) {
      for (long end = first; end <= next + 1; end++) {
        List<Long> examples = new ArrayList<>();
        for (ShardSlice slice : shards.slices(first, end - first)) {
          assertThat(slice.shard()).isEqualTo(shards.get(slice.index()));
          assertThat(slice.examples()).isPositive();
          long start = slice.shard().first() + slice.start();
          assertThat(slice.shard().holds(start)).isTrue();
          assertThat(start + slice.examples()).isLessThanOrEqualTo(slice.shard().end());
          LongStream.range(start, start + slice.examples()).forEach(examples::add);
        }
        assertThat(examples)
            .isEqualTo(LongStream.range(first, Math.min(end, next)).boxed().toList());
      }
    }
    assertThat(shards.slices(next, 3)).isEmpty();
    assertThat(shards.slices(-1, 3)).isEmpty();
  }

  @Test
  void numbersBeyondIntAreFound() {
    long half = 1L << 40;
    Shards shards = new Shards(List.of(new Shard("a", 0, half, 0), new Shard("b", half, half, 0)));
    assertThat(shards.indexOf(half - 1)).isZero();
    assertThat(shards.indexOf(half)).isEqualTo(1);
    assertThat(shards.indexOf(2 * half - 1)).isEqualTo(1);
    assertThat(shards.indexOf(Long.MAX_VALUE)).isEqualTo(-1);
  }

  private static Shards shards(List<Integer> counts) {
    List<Shard> list = new ArrayList<>();
    long next = 0;
    for (int count : counts) {
      list.add(new Shard("shard" + list.size(), next, count, 0));
      next += count;
    }
    return new Shards(list);
  }
}
