package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SplitPlannerTest {
  @Test
  void aHugeShardIsCutIntoEvenParts() {
    assertThat(new SplitPlanner(10, 40, 1).plan(shards(10)))
        .containsExactly(new ExampleRange(0, 4), new ExampleRange(4, 3), new ExampleRange(7, 3));
    assertThat(new SplitPlanner(10, 49, 1).plan(shards(8)))
        .containsExactly(new ExampleRange(0, 4), new ExampleRange(4, 4));
  }

  @Test
  void smallShardsThatFollowOneAnotherAreJoinedUpToTheGoal() {
    assertThat(new SplitPlanner(10, 60, 1).plan(shards(2, 2, 2, 2, 1)))
        .containsExactly(new ExampleRange(0, 6), new ExampleRange(6, 3));
  }

  @Test
  void smallShardsAreNotJoinedAcrossAHugeOne() {
    assertThat(new SplitPlanner(10, 40, 1).plan(shards(1, 2, 9, 1, 1)))
        .containsExactly(
            new ExampleRange(0, 3),
            new ExampleRange(3, 3),
            new ExampleRange(6, 3),
            new ExampleRange(9, 3),
            new ExampleRange(12, 2));
  }

  @Test
  void noRangeIsLessThanOneExample() {
    assertThat(new SplitPlanner(1000, 1, 1).plan(shards(2, 1)))
        .containsExactly(new ExampleRange(0, 1), new ExampleRange(1, 1), new ExampleRange(2, 1));
  }

  @Test
  void groupsAreNeverCut() {
    assertThat(new SplitPlanner(10, 50, 4).plan(shards(5, 5)))
        .containsExactly(new ExampleRange(0, 4), new ExampleRange(4, 4), new ExampleRange(8, 2));
    assertThat(new SplitPlanner(10, 80, 3).plan(shards(5, 5)))
        .containsExactly(new ExampleRange(0, 6), new ExampleRange(6, 4));
    assertThat(new SplitPlanner(10, 1, 7).plan(shards(5, 5)))
        .containsExactly(new ExampleRange(0, 7), new ExampleRange(7, 3));
  }

  @Test
  void extremeGoalsAndGroupsDoNotOverflow() {
    assertThat(new SplitPlanner(4, Long.MAX_VALUE, 1).plan(shards(5, 5)))
        .containsExactly(new ExampleRange(0, 10));
    assertThat(new SplitPlanner(4, Long.MAX_VALUE, Long.MAX_VALUE).plan(shards(5, 5)))
        .containsExactly(new ExampleRange(0, 10));
    Shard large = new Shard("a", 0, Long.MAX_VALUE / 4, Long.MAX_VALUE);
    assertThat(new SplitPlanner(4, Long.MAX_VALUE, 2).plan(List.of(large)))
        .extracting(ExampleRange::count)
        .satisfies(counts -> assertThat(sum(counts)).isEqualTo(large.examples()));
  }

  @Test
  void withoutShardsThereIsNothingToRead() {
    assertThat(new SplitPlanner(1, 1, 1).plan(List.of())).isEmpty();
    assertThat(new SplitPlanner(1, 1, 5).plan(List.of())).isEmpty();
  }

  @Test
  void sizesThatAreNotPositiveAreRefused() {
    assertThatThrownBy(() -> new SplitPlanner(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SplitPlanner(1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SplitPlanner(1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void everyExampleIsInExactlyOneRangeOfNoMoreThanTheGoal(RandomValues any) {
    List<Integer> sizes = any.list(1, 30, () -> any.intBetween(1, 300));
    long exampleBytes = any.longBetween(1, 1000);
    long goal = any.longBetween(1, 100_000);
    long group = any.longBetween(1, 40);
    List<Shard> shards = shards(sizes.stream().mapToInt(Integer::intValue).toArray());
    long next = 0;
    for (ExampleRange range : new SplitPlanner(exampleBytes, goal, group).plan(shards)) {
      assertThat(range.first()).isEqualTo(next);
      assertThat(range.first() % group).isZero();
      assertThat(range.count()).isPositive();
      assertThat(range.count()).isLessThanOrEqualTo(Math.max(group, goal / exampleBytes));
      next += range.count();
    }
    assertThat(next).isEqualTo(sizes.stream().mapToLong(Integer::longValue).sum());
  }

  @Property
  void partsOfOneShardDifferByAtMostOneExample(RandomValues any) {
    int examples = any.intBetween(1, 5000);
    int most = any.intBetween(1, 5000);
    List<ExampleRange> ranges = new SplitPlanner(1, most, 1).plan(shards(examples));
    assertThat(ranges).hasSize((examples - 1) / most + 1);
    assertThat(ranges)
        .extracting(ExampleRange::count)
        .allMatch(count -> count - examples / ranges.size() <= 1)
        .allMatch(count -> count >= examples / ranges.size());
  }

  private static long sum(List<? extends Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  private static List<Shard> shards(int... sizes) {
    List<Shard> shards = new ArrayList<>();
    long first = 0;
    for (int size : sizes) {
      shards.add(new Shard("shard" + shards.size(), first, size, size));
      first += size;
    }
    return shards;
  }
}
