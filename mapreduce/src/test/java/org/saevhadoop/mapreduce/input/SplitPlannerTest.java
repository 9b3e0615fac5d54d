package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SplitPlannerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a huge shard is cut into even parts
        "10 | 40 | 1 | 10 | 0+4 4+3 7+3",
        "10 | 49 | 1 | 8 | 0+4 4+4",
        // small shards that follow one another are joined up to the goal, but not across a huge one
        "10 | 60 | 1 | 2 2 2 2 1 | 0+6 6+3",
        "10 | 40 | 1 | 1 2 9 1 1 | 0+3 3+3 6+3 9+3 12+2",
        // no range is less than one example
        "1000 | 1 | 1 | 2 1 | 0+1 1+1 2+1",
        // groups are never cut
        "10 | 50 | 4 | 5 5 | 0+4 4+4 8+2",
        "10 | 80 | 3 | 5 5 | 0+6 6+4",
        "10 | 1 | 7 | 5 5 | 0+7 7+3",
        // extreme goals and groups do not overflow
        "4 | 9223372036854775807 | 1 | 5 5 | 0+10",
        "4 | 9223372036854775807 | 9223372036854775807 | 5 5 | 0+10",
      })
  void rangesFollowShardsAndGroups(
      long exampleBytes, long goal, long group, String sizes, String ranges) {
    int[] examples = Stream.of(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
    assertThat(new SplitPlanner(exampleBytes, goal, group).plan(shards(examples)))
        .extracting(range -> range.first() + "+" + range.count())
        .containsExactly(ranges.split(" "));
  }

  @Test
  void aHugeGoalAndManyExamplesDoNotOverflow() {
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

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "1, 0, 1", "1, 1, 0"})
  void sizesThatAreNotPositiveAreRefused(long exampleBytes, long goal, long group) {
    assertThatThrownBy(() -> new SplitPlanner(exampleBytes, goal, group))
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
