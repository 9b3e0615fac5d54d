package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ShardsTest {
  @Property(tries = 200)
  void theShardOfAnExampleIsTheOneThatHoldsIt(RandomValues any) {
    List<Integer> counts = any.list(0, 40, () -> any.intBetween(0, 5));
    List<Shard> list = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    for (int count : counts) {
      list.add(new Shard("shard" + list.size(), expected.size(), count, 0));
      for (int i = 0; i < count; i++) {
        expected.add(list.size() - 1);
      }
    }
    Shards shards = new Shards(list);
    for (int example = 0; example < expected.size(); example++) {
      assertThat(shards.indexOf(example)).isEqualTo(expected.get(example));
    }
    assertThat(shards.indexOf(-1)).isEqualTo(-1);
    assertThat(shards.indexOf(expected.size())).isEqualTo(-1);
    assertThat(shards.examples()).isEqualTo(expected.size());
    assertThat(shards).containsExactlyElementsOf(list);
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
}
