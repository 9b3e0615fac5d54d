package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ExampleChoiceTest {
  private static RowOrder order(
      long examples, long sample, @Nullable IndexRange part, long seed, int layer) {
    return new RowOrder(
        RowUnit.VECTOR,
        seed,
        "parent",
        List.of(layer),
        List.of(new IndexRange(0, examples)),
        List.of(new IndexRange(0, 3)),
        sample,
        part,
        0);
  }

  private static List<Long> chosen(long examples, @Nullable IndexRange part, long seed, int layer) {
    ExampleChoice choice = ExampleChoice.of(order(examples, examples, part, seed, layer));
    return LongStream.range(0, examples).filter(choice::contains).boxed().toList();
  }

  @Property
  void theRankIsTheNumberOfChosenExamplesBefore(RandomValues random) {
    long examples = random.longBetween(1, 200);
    long sample = random.longBetween(1, examples);
    long start = random.longBetween(0, sample - 1);
    IndexRange part =
        random.intBetween(0, 1) == 0
            ? null
            : new IndexRange(start, random.longBetween(start + 1, sample));
    ExampleChoice choice = ExampleChoice.of(order(examples, sample, part, random.seed(), 3));
    long rank = 0;
    for (long example = 0; example < examples; example++) {
      assertThat(choice.rank(example)).isEqualTo(rank);
      rank += choice.contains(example) ? 1 : 0;
    }
    assertThat(choice.count()).isEqualTo(rank);
  }

  @Test
  void partsAreRandomAndDependOnTheSeedButNotOnTheLayer() {
    IndexRange tenth = new IndexRange(0, 100);
    List<Long> found = chosen(1000, tenth, 1, 3);
    assertThat(found).hasSize(100).isNotEqualTo(chosen(1000, tenth, 2, 3));
    assertThat(found).isEqualTo(chosen(1000, tenth, 1, 4));
    assertThat(found.stream().filter(example -> example < 500).count()).isBetween(30L, 70L);
  }

  @Test
  void partsAreRoundedAndDoNotOverlap() {
    assertThat(ExampleChoice.divide(10, List.of(0.26, 0.26, 0.01, 0.47)))
        .containsExactly(new IndexRange(0, 3), new IndexRange(3, 5), null, new IndexRange(5, 10));
  }
}
